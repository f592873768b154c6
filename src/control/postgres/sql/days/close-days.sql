WITH settled AS (
  SELECT day
  FROM waybill.days
  WHERE
    project = $1
    AND day = ANY($2::integer[])
    AND day <= (SELECT sealed_until FROM waybill.sealed_days)
    AND changes <= coalesce(rolled_up, 0)
  ORDER BY day
  FOR UPDATE
)
UPDATE waybill.days AS closed SET is_closed = true
FROM settled WHERE closed.project = $1 AND closed.day = settled.day
RETURNING closed.day
