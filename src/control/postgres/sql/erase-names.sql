-- Erases up to $2 names of a project.
WITH chosen AS (
  SELECT kind, name FROM waybill.names WHERE project = $1 ORDER BY kind, name LIMIT $2 FOR UPDATE
)
DELETE FROM waybill.names AS known USING chosen
WHERE known.project = $1 AND known.kind = chosen.kind AND known.name = chosen.name
RETURNING known.kind
