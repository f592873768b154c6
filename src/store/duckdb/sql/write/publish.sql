-- Inserts the drafted entries of a day.
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
-- Keeps entries on the same page together on disk.
ORDER BY app, label;
