-- Entries summed up. The store puts in what to group by (NULL is no dimension), the columns, the apps and the filter.
SELECT {group_day} AS group_day, {group_label} AS group_label, {columns}
FROM entries
WHERE project = $project
  AND {app}
  AND day <= $until
  AND {filter}
GROUP BY ALL
-- Without a dimension there would be a row also of no entries.
HAVING count(*) > 0
ORDER BY group_day DESC, group_label
LIMIT $limit
