-- The counts by day of the labels of an app that have the most messages, by label and day. The store fills in the columns.
WITH selected AS NOT MATERIALIZED (
  SELECT *
  FROM entries
  WHERE project = $project
    AND app = (SELECT id FROM apps WHERE project = $project AND name = $name)
    AND day BETWEEN $since AND $until
),
largest AS (
  SELECT label, min(day) AS first_day
  FROM selected
  GROUP BY label
  ORDER BY sum(count_messages_accepted) DESC, label
  LIMIT $labels
),
numbered AS (
  SELECT label, first_day, row_number() OVER (ORDER BY label) AS number FROM largest
)
-- Texts are slow to sort and to read: each label stands in its first row alone.
SELECT CASE WHEN day = first_day THEN label END, day, {columns}
FROM selected JOIN numbered USING (label)
ORDER BY number, day
