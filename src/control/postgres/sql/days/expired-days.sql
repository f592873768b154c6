-- Settled days with states, or with expired entries (entries of days up to $1).
SELECT project, day
FROM waybill.days
WHERE
  day <= (SELECT sealed_until FROM waybill.sealed_days)
  AND changes <= coalesce(rolled_up, 0)
  AND (has_states OR (NOT is_empty AND day <= $1::integer))
