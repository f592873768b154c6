-- First step of the rollup of days of one project, each from the set of its events (docs/semantics.md): how many messages
-- fared in the same way. Every aggregate over events is a minimum or a bitwise or, so neither their order nor their
-- repetition matters. One run takes the messages whose digest ends in $part, of the digest's bits in $mask.
-- {DAYS} says which days. If it is one, {DAY} is that, and {DAY_KEY} is nothing: a key more would take a tenth of the time.
-- Other words in braces are numbers of event types.
INSERT INTO fates
WITH ranked_labels AS (
  -- Labels in the order of their bytes, by which two ACCEPTED of one instant are told apart.
  {RANKED_LABELS}
),
messages AS (
  SELECT
    {DAY_KEY}
    any_value(app) AS app,
    min(((rank >> 5)::BIGINT << 33) | (label_rank << 1) | notification::BIGINT)
      FILTER (rank & 31 = {ACCEPTED}) AS accepted,
    -- Outcomes stand between ACCEPTED and STORED, proxy results behind all others.
    min(rank) FILTER (rank & 31 > {ACCEPTED} AND rank & 31 < {STORED}) AS outcome,
    min(rank) FILTER (rank & 31 > {PRIORITY_LOWERED}) AS proxy,
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
