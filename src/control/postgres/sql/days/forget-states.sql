WITH closed AS (
  SELECT day
  FROM waybill.days
  WHERE project = $1 AND day = ANY($2::integer[]) AND is_closed
  ORDER BY day
  FOR UPDATE
)
UPDATE waybill.days AS forgotten SET has_states = false
FROM closed WHERE forgotten.project = $1 AND forgotten.day = closed.day
