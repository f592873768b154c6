-- All states of some days, with names instead of ids. {DAYS} is the condition on days.
SELECT
  day,
  apps.name,
  key_high,
  key_low,
  (accepted >> 33)::UINTEGER AS accepted_at,
  coalesce(labels.name, '') AS label,
  coalesce(accepted & 1 = 1, false) AS notification,
  outcome,
  proxy,
  seen
FROM (FROM message_states WHERE {DAYS}) AS states
JOIN apps ON apps.id = states.app
LEFT JOIN labels ON labels.id = (accepted >> 1) & 4294967295
