-- Counts messages with events on a day. Includes only keys from $first_key to $last_key.
SELECT count(*)
FROM (
  SELECT DISTINCT key_high, key_low FROM message_states
  WHERE {DAYS} AND key_low BETWEEN $first_key::UBIGINT AND $last_key::UBIGINT
)
