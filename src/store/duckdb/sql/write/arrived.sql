-- Step 1 of a merge: groups partial states by message. Every aggregate is a minimum or a bitwise OR, so that order
-- and repetition of events do not matter. Labels are compared by rank.
--
-- {DAYS} is the condition on days. For a single day, {DAY} is that day and {DAY_KEY} is empty: another grouping key
-- would add 10 % to the time. Each pass includes messages with the value $part in the bits of $mask.
CREATE OR REPLACE TEMP TABLE arrived AS
WITH arriving AS NOT MATERIALIZED (
  FROM partial_states WHERE {DAYS} AND key_low & $mask::UBIGINT = $part::UBIGINT
),
ranked_labels AS MATERIALIZED (
  {RANKED_LABELS}
),
grouped AS (
  SELECT
    {DAY} AS day,
    any_value(app) AS app,
    key_high,
    key_low,
    min(with_label(accepted, label_rank)) AS ranked,
    min(outcome) AS outcome,
    min(proxy) AS proxy,
    bit_or(seen) AS seen
  FROM arriving LEFT JOIN ranked_labels ON ranked_labels.id = label_of(accepted)
  GROUP BY {DAY_KEY} key_high, key_low
)
SELECT grouped.* EXCLUDE (ranked), with_label(ranked, id) AS accepted
FROM grouped LEFT JOIN ranked_labels ON label_rank = label_of(ranked);
