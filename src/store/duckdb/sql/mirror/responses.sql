-- Newest responses about an app, with app id and body digest.
SELECT fetched_at::DOUBLE, url, app, digest
FROM responses
WHERE project = $project
  AND app = $app
  AND fetched_at < $before
ORDER BY fetched_at DESC, url, digest
LIMIT $limit OFFSET $skip
