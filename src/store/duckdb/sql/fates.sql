-- First step of the rollup of days of one project (docs/semantics.md): counts the messages that fared alike.
-- Each day depends only on the set of its events: every aggregate over events is a minimum or a bitwise OR,
-- for which order and repetition do not matter.
-- One run takes the messages whose key has the value $part in the bits of $mask.
-- {DAYS} is the condition on the day. For a single day, {DAY} is that day and {DAY_KEY} is empty: a further
-- grouping key would add a tenth of the time. Other words in braces come from the contract: the number of an
-- event type, or a set of types with a bit for each number.
INSERT INTO fates
WITH ranked_labels AS (
  -- Ranks labels in byte order, to choose between two ACCEPTED events of the same instant.
  {RANKED_LABELS}
),
messages AS (
  SELECT
    {DAY_KEY}
    any_value(app) AS app,
    min(((rank >> 5)::BIGINT << 33) | (label_rank << 1) | notification::BIGINT)
      FILTER (rank & 31 = {ACCEPTED}) AS accepted,
    min(rank) FILTER ((1::UINTEGER << (rank & 31)) & {OUTCOMES} <> 0) AS outcome,
    min(rank) FILTER ((1::UINTEGER << (rank & 31)) & {PROXY_RESULTS} <> 0) AS proxy,
    bit_or(1::UINTEGER << (rank & 31)) AS seen
  FROM events JOIN ranked_labels ON events.label = ranked_labels.id
  WHERE {DAYS} AND key_low & $mask = $part
  GROUP BY {DAY_KEY} key_high, key_low
)
SELECT
  {DAY} AS day,
  app,
  (accepted >> 1) & 4294967295 AS label_rank,
  accepted & 1 = 1 AS notification,
  outcome & 31 AS outcome,
  CASE WHEN accepted & 1 = 1 THEN proxy & 31 END AS proxy,
  seen,
  count(*) AS messages
FROM messages
WHERE accepted IS NOT NULL
GROUP BY ALL;
