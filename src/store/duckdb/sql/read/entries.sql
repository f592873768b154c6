-- A page of the entries of one app, in list order. The engine reads newer parts of the table first, and skips the rest
-- once it has $limit entries of newer days.
SELECT day, label, {COLUMNS}
FROM entries
WHERE project = $project
  AND app = $app
  AND day <= $until
  AND (day < $after_day OR (day = $after_day AND label > $after_label))
  AND {FILTER}
ORDER BY day DESC, label
LIMIT $limit
