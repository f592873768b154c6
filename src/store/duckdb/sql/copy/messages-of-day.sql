-- Counts messages with events on a day. Includes only keys with the value $part in the bits of $mask.
SELECT count(*)
FROM (
  SELECT key_high, key_low FROM message_states WHERE {DAYS} AND key_low & $mask = $part
  UNION
  SELECT key_high, key_low FROM partial_states WHERE {DAYS} AND key_low & $mask = $part
)
