-- What there is of messages of days, with names in place of numbers. An event that waits to be merged is the state of a
-- message with this event alone. {DAYS} is the condition on the day.
SELECT
  partial.day,
  apps.name,
  key_high,
  key_low,
  (accepted >> 33)::UINTEGER AS accepted_at,
  coalesce(labels.name, '') AS label,
  coalesce(accepted & 1 = 1, false) AS notification,
  outcome,
  proxy,
  seen
FROM (
  SELECT day, app, key_high, key_low, accepted, outcome, proxy, seen FROM message_states WHERE {DAYS}
  UNION ALL
  SELECT
    day,
    app,
    key_high,
    key_low,
    CASE WHEN rank & 31 = {ACCEPTED}
      THEN ((rank >> 5)::UBIGINT << 33) | (label::UBIGINT << 1) | notification::UBIGINT END,
    CASE WHEN (1::UINTEGER << (rank & 31)) & {OUTCOMES} <> 0 THEN rank END,
    CASE WHEN (1::UINTEGER << (rank & 31)) & {PROXY_RESULTS} <> 0 THEN rank END,
    1::UINTEGER << (rank & 31)
  FROM events WHERE {DAYS}
) AS partial
JOIN apps ON apps.id = partial.app
LEFT JOIN labels ON labels.id = (accepted >> 1) & 4294967295
