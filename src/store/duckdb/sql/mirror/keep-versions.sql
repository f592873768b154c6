-- Inserts entry versions that do not exist yet, from lists of column values.
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
  -- The day range lets the engine skip most of the table.
  SELECT app, day, label, fetched_at FROM entry_versions WHERE project = $project AND day BETWEEN $first AND $last
) USING (app, day, label, fetched_at)
-- Keeps versions on the same page together on disk.
ORDER BY app, day, label, fetched_at;
