-- The counts by day of the labels of an app that have the most messages, in an array for each count.
SELECT label, arraySort(groupArray(day)), {COLUMNS}
FROM {ENTRIES}
WHERE project = {PROJECT} AND {APP} AND {PUBLISHED} AND label GLOBAL IN (
  SELECT label
  FROM {ENTRIES}
  WHERE project = {PROJECT} AND {APP} AND {PUBLISHED}
  GROUP BY label
  ORDER BY sum(count_messages_accepted) DESC, label
  LIMIT {LABELS}
)
GROUP BY label
ORDER BY label
