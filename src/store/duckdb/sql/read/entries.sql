-- A page of the entries of one app, in list order.
SELECT day, label, {COLUMNS}
FROM entries
WHERE project = $project
  AND app = $app
  AND day <= $until
  AND {FIRST_DAY}
  AND (day < $after_day OR (day = $after_day AND label > $after_label))
  AND {FILTER}
ORDER BY day DESC, label
LIMIT $limit
