-- A page of the apps with entries, with the first and last day of their entries.
SELECT app, min(day), max(day)
FROM {ENTRIES}
WHERE project = {PROJECT} AND {PUBLISHED} AND app > {AFTER}
GROUP BY app
ORDER BY app
LIMIT {LIMIT}
