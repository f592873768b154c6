-- A page of the apps with entries, with the first and last day of their entries.
WITH listed AS (
  -- Looks up names once per app instead of once per entry.
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
