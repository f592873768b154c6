-- Sums of entries. The store fills in the dimensions (NULL for none), the columns, the apps and the filter.
WITH sums AS (
  SELECT {group_day} AS group_day, {group_app} AS group_app, {group_label} AS group_label, {columns}
  FROM entries
  WHERE project = $project
    AND {app}
    AND day <= $until
    AND {filter}
  GROUP BY ALL
  -- Without dimensions, there would be a row even if no entry matches.
  HAVING count(*) > 0
)
-- Looks up names once per group instead of once per entry.
SELECT group_day, {app_name} AS app_name, group_label, * EXCLUDE (group_day, group_app, group_label)
FROM sums
ORDER BY group_day DESC, app_name, group_label
LIMIT $limit
