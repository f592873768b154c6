-- A page of the apps of a project that have entries, with the first and last day of those.
SELECT app, min(day), max(day)
FROM {ENTRIES}
WHERE project = {PROJECT} AND {PUBLISHED} AND app > {AFTER}
GROUP BY app
ORDER BY app
LIMIT {LIMIT}
