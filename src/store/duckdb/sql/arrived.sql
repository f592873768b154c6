-- First step of a merge: the states of messages by the events that have arrived since the last merge.
-- Each state depends only on the set of events: every aggregate is a minimum or a bitwise OR, for which order and
-- repetition do not matter.
-- One pass takes the messages whose key has the value $part in the bits of $mask.
-- {DAYS} is the condition on the day. For a single day, {DAY} is that day and {DAY_KEY} is empty: a further
-- grouping key would add a tenth of the time. Other words in braces come from the contract: the number of an
-- event type, or a set of types with a bit for each number.
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
  min(((rank >> 5)::UBIGINT << 33) | (label_rank << 1) | notification::UBIGINT)
    FILTER (rank & 31 = {ACCEPTED}) AS ranked,
  min(rank) FILTER ((1::UINTEGER << (rank & 31)) & {OUTCOMES} <> 0) AS outcome,
  min(rank) FILTER ((1::UINTEGER << (rank & 31)) & {PROXY_RESULTS} <> 0) AS proxy,
  bit_or(1::UINTEGER << (rank & 31)) AS seen
FROM events JOIN ranked_labels ON events.label = ranked_labels.id
WHERE {DAYS} AND key_low & $mask::UBIGINT = $part::UBIGINT
GROUP BY {DAY_KEY} key_high, key_low;
