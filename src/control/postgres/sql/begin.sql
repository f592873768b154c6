-- Takes a version, after everything that this statement sees of the days was committed. Settled days are left out.
WITH raised AS (
  UPDATE waybill.publications SET fence = $3 WHERE fence < $3::bigint
)
SELECT
  nextval('waybill.versions') AS version,
  {NOW} AS began_at,
  (SELECT fence FROM waybill.publications) AS fence,
  coalesce(array_agg(asked.day ORDER BY place), '{}') AS days,
  coalesce(array_agg(coalesce(known.changes, 0) ORDER BY place), '{}') AS changes,
  coalesce(array_agg(coalesce(known.events, 0) ORDER BY place), '{}') AS events
FROM unnest($2::integer[]) WITH ORDINALITY AS asked (day, place)
LEFT JOIN waybill.days AS known ON known.project = $1 AND known.day = asked.day
WHERE
  known.changes > coalesce(known.rolled_up, 0)
  OR asked.day > coalesce((SELECT sealed_until FROM waybill.sealed_days), asked.day - 1)
