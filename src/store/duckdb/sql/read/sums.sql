-- Sums of entries. Omitted dimensions are NULL.
WITH sums AS (
  SELECT {GROUP_DAY} AS group_day, {GROUP_APP} AS group_app, {GROUP_LABEL} AS group_label, {COLUMNS}
  FROM entries
  WHERE project = $project
    AND {APP}
    AND day <= $until
    AND {FILTER}
  GROUP BY ALL
  -- Without dimensions, there would be a row even if no entry matches.
  HAVING count(*) > 0
)
-- Looks up names once per group instead of once per entry.
SELECT group_day, {APP_NAME} AS app_name, group_label, * EXCLUDE (group_day, group_app, group_label)
FROM sums
ORDER BY group_day DESC, app_name, group_label
LIMIT $limit
