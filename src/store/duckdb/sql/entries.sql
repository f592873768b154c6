-- A page of the entries of one app, in list order. The store fills in the columns and the filter.
SELECT day, label, {columns}
FROM entries
WHERE project = $project
  AND app = (SELECT id FROM apps WHERE project = $project AND name = $name)
  AND day <= $until
  AND (day < $after_day OR (day = $after_day AND label > $after_label))
  AND {filter}
ORDER BY day DESC, label
LIMIT $limit
