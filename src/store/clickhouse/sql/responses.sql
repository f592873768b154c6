-- Responses about an app, newest first.
SELECT DISTINCT day, fetched_at, url, digest
FROM {RESPONSES}
WHERE project = {PROJECT} AND app = {APP_ID} AND {BEFORE}
ORDER BY fetched_at DESC, url, digest
LIMIT {LIMIT} OFFSET {SKIP}
