-- Counts names for a project. If the limit has no room for some of them, counts none, and returns these. Two statements at the same
-- time do not see each other's names.
WITH given AS (
  SELECT *
  FROM unnest($2::text[], $3::text[], $4::integer[]) WITH ORDINALITY AS given (kind, name, day, position)
  WHERE day > (SELECT coalesce(excluded_until, -2147483648) FROM waybill.sealed_days)
), fresh AS (
  SELECT *, row_number() OVER (PARTITION BY kind ORDER BY position) AS place
  FROM given
  WHERE NOT EXISTS (
    SELECT FROM waybill.names AS known
    WHERE known.project = $1 AND known.kind = given.kind AND known.name = given.name
  )
), room AS MATERIALIZED (
  SELECT kind, most - (
    SELECT count(*) FROM waybill.names AS known WHERE known.project = $1 AND known.kind = limits.kind
  ) AS names
  FROM (VALUES ('apps', $5::bigint), ('labels', $6::bigint)) AS limits (kind, most)
), excess AS (
  SELECT kind, name, position FROM fresh JOIN room USING (kind) WHERE place > room.names
), counted AS (
  INSERT INTO waybill.names AS known (project, kind, name, last_day)
  SELECT $1, kind, name, day FROM given WHERE NOT EXISTS (SELECT FROM excess)
  ORDER BY kind, name
  ON CONFLICT (project, kind, name) DO UPDATE SET last_day = excluded.last_day
    WHERE known.last_day < excluded.last_day
)
SELECT kind, name FROM excess ORDER BY position
