-- The newest answers about an app, with their packed bodies.
SELECT fetched_at::DOUBLE, url, body
FROM (
  SELECT *
  FROM answers
  WHERE project = $project
    AND app = (SELECT id FROM apps WHERE project = $project AND name = $name)
    AND fetched_at < $before
  ORDER BY fetched_at DESC, url
  LIMIT $limit
)
JOIN answer_bodies USING (project, app, digest)
ORDER BY fetched_at DESC, url
