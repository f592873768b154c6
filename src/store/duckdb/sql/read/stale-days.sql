-- Due days of a project, newest first.
SELECT day
FROM (
  SELECT day, sum(events) AS events, count(*) AS appends
  FROM stale_days
  WHERE project = $project AND day < $before
  GROUP BY day
)
WHERE {DUE}
ORDER BY day DESC
LIMIT $limit;
