-- First step of a merge: the states of messages by what has arrived since the last merge.
-- Each state depends only on the set of events: every aggregate is a minimum or a bitwise OR, for which order and
-- repetition do not matter.
-- One pass takes the messages whose key has the value $part in the bits of $mask.
-- {DAYS} is the condition on the day. For a single day, {DAY} is that day and {DAY_KEY} is empty: a further
-- grouping key would add a tenth of the time.
CREATE OR REPLACE TEMP TABLE arrived AS
WITH ranked_labels AS (
  -- Ranks labels in byte order, to choose between two ACCEPTED events of the same instant.
  {RANKED_LABELS}
)
SELECT
  {DAY} AS day,
  any_value(app) AS app,
  key_high,
  key_low,
  min((accepted & ~8589934591::UBIGINT) | (label_rank << 1) | (accepted & 1)) AS ranked,
  min(outcome) AS outcome,
  min(proxy) AS proxy,
  bit_or(seen) AS seen
FROM partial_states LEFT JOIN ranked_labels ON ranked_labels.id::UBIGINT = (accepted >> 1) & 4294967295
WHERE {DAYS} AND key_low & $mask::UBIGINT = $part::UBIGINT
GROUP BY {DAY_KEY} key_high, key_low;
