-- Sums of entries. The store fills in the dimensions (NULL for none), the columns, the apps and the filter.
SELECT {group_day} AS group_day, {group_label} AS group_label, {columns}
FROM entries
WHERE project = $project
  AND {app}
  AND day <= $until
  AND {filter}
GROUP BY ALL
-- Without dimensions, there would be a row even if no entry matches.
HAVING count(*) > 0
ORDER BY group_day DESC, group_label
LIMIT $limit
