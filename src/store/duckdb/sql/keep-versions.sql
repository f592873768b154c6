-- Inserts those versions of entries that are not there yet, from columns, each a list.
INSERT INTO entry_versions BY NAME
SELECT DISTINCT ON (app, day, label, fetched_at) *
FROM (
  SELECT
    $project AS project,
    unnest($apps::INTEGER[]) AS app,
    unnest($days::INTEGER[]) AS day,
    unnest($labels::VARCHAR[]) AS label,
    unnest($fetched_at::BIGINT[]) AS fetched_at,
    unnest($forms::VARCHAR[]) AS original_form,
    unnest($figures::VARCHAR[]) AS original_figures
)
ANTI JOIN (
  -- The days let the engine skip nearly all of the table.
  SELECT app, day, label, fetched_at FROM entry_versions WHERE project = $project AND day BETWEEN $first AND $last
) USING (app, day, label, fetched_at)
-- Keeps versions of the same page together on disk.
ORDER BY app, day, label, fetched_at;
