-- Assigns a version. It is newer than all committed changes that this statement sees. Omits settled days.
WITH run AS (
  UPDATE waybill.publications SET
    {NEXT_NUMBER},
    fences = CASE
      WHEN $4::bigint > coalesce((fences ->> $3)::bigint, 0) THEN fences || jsonb_build_object($3::text, $4::bigint)
      ELSE fences
    END
  RETURNING number, (fences ->> $3)::bigint AS fence
)
SELECT
  (SELECT number FROM run) AS version,
  {NOW} AS began_at,
  (SELECT fence FROM run) AS fence,
  coalesce(array_agg(asked.day ORDER BY place), '{}') AS days,
  coalesce(array_agg(coalesce(known.changes, 0) ORDER BY place), '{}') AS changes,
  coalesce(array_agg(coalesce(known.events, 0) ORDER BY place), '{}') AS events
FROM unnest($2::integer[]) WITH ORDINALITY AS asked (day, place)
LEFT JOIN waybill.days AS known ON known.project = $1 AND known.day = asked.day
WHERE
  known.changes > coalesce(known.rolled_up, 0)
  OR asked.day > coalesce((SELECT sealed_until FROM waybill.sealed_days), asked.day - 1)
