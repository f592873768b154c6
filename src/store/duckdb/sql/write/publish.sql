-- Inserts the drafted entries. Forms are long, so they are added after sorting. The form at the position 0 is NULL.
INSERT INTO entries BY NAME
SELECT
  $project AS project,
  day,
  app,
  label,
  $forms[form] AS original_form,
  figures AS original_figures,
  nullif(fetched_at, -1)::BIGINT AS fetched_at,
  {COLUMNS}
FROM (
  FROM draft
  -- Keeps entries on the same page together on disk.
  ORDER BY day, app, label
);
