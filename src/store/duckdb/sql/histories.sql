-- The counts by day of the labels of an app that have the most messages. The store fills in the columns.
WITH selected AS NOT MATERIALIZED (
  SELECT *
  FROM entries
  WHERE project = $project
    AND app = (SELECT id FROM apps WHERE project = $project AND name = $name)
    AND day BETWEEN $since AND $until
)
SELECT label, day, {columns}
FROM selected
SEMI JOIN (
  SELECT label
  FROM selected
  GROUP BY label
  ORDER BY sum(count_messages_accepted) DESC, label
  LIMIT $labels
) USING (label)
ORDER BY label, day
