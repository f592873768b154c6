-- Inserts the drafted entries of a day of a project. The store fills in the columns of counts.
INSERT INTO entries BY NAME
SELECT
  $project AS project,
  $day AS day,
  app,
  label,
  original_form,
  original_figures,
  fetched_at::BIGINT AS fetched_at,
  {COLUMNS}
FROM draft
-- Keeps entries of the same page together on disk.
ORDER BY app, label;
