-- Daily counts of the labels with the most messages of an app, sorted by day.
WITH selected AS NOT MATERIALIZED (
  SELECT *
  FROM entries
  WHERE project = $project
    AND app = $app
    AND day BETWEEN $since AND $until
),
largest AS (
  SELECT label, min(day) AS first_day, count(*) AS days
  FROM selected
  GROUP BY label
  ORDER BY sum(count_messages_accepted) DESC, label
  LIMIT $labels
),
-- Index of each label's first row once rows are sorted by label and day, and the total number of rows.
placed AS (
  SELECT
    label,
    first_day,
    (sum(days) OVER (ORDER BY label) - days)::INTEGER AS place,
    (sum(days) OVER ())::INTEGER AS total
  FROM largest
)
-- Sorted by day, because days are stored consecutively: this halves the time. Copying text is slow, so that only
-- the first row of each label contains it.
SELECT total, place, CASE WHEN day = first_day THEN label END, day, {COLUMNS}
FROM selected JOIN placed USING (label)
ORDER BY day
