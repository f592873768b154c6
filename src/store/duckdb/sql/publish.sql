-- Inserts entries of a day of a project from columns, each a list. The store fills in the columns of counts and originals.
INSERT INTO entries BY NAME
SELECT
  $project AS project,
  $day AS day,
  unnest($apps::INTEGER[]) AS app,
  unnest($labels::VARCHAR[]) AS label,
  {columns}
-- Keeps entries of the same page together on disk.
ORDER BY app, label;
