-- The counts by day of the labels of an app that have the most messages, by day. The store fills in the columns.
WITH selected AS NOT MATERIALIZED (
  SELECT *
  FROM entries
  WHERE project = $project
    AND app = (SELECT id FROM apps WHERE project = $project AND name = $name)
    AND day BETWEEN $since AND $until
),
largest AS (
  SELECT label, min(day) AS first_day, count(*) AS days
  FROM selected
  GROUP BY label
  ORDER BY sum(count_messages_accepted) DESC, label
  LIMIT $labels
),
-- Where the rows of each label begin once all are sorted by label and day, and how many there are.
placed AS (
  SELECT
    label,
    first_day,
    (sum(days) OVER (ORDER BY label) - days)::INTEGER AS place,
    (sum(days) OVER ())::INTEGER AS total
  FROM largest
)
-- Days are stored one after the other, and take half the time to sort. Texts are slow to move: each label stands in its
-- first row alone.
SELECT total, place, CASE WHEN day = first_day THEN label END, day, {COLUMNS}
FROM selected JOIN placed USING (label)
ORDER BY day
