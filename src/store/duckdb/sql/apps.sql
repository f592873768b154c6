-- A page of the apps of a project that have entries, with their first and last day.
WITH listed AS (
  -- Names are looked up once an app, not once an entry.
  SELECT app, min(day) AS first_day, max(day) AS last_day
  FROM entries
  WHERE project = $project AND day <= $until
  GROUP BY app
)
SELECT name, first_day, last_day
FROM listed JOIN apps ON apps.id = listed.app
WHERE name > $after
ORDER BY name
LIMIT $limit
