-- Daily counts of the labels with the most messages of an app, as one array per count.
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
