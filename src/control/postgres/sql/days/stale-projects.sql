-- A change of a day is due since it was stored, or since the day was listed.
SELECT
  project,
  count(*) AS days,
  min(CASE WHEN day = $1::integer THEN greatest(since, $2::bigint) ELSE since END) AS since
FROM waybill.days
WHERE changes > coalesce(rolled_up, 0) AND day <= $1::integer
GROUP BY project
