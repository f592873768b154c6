-- Second step of a merge: the states of these messages after it, and as they were before it if there were any. States
-- that stay as they were are left out. lesser(a, b) is the lesser of what is not NULL. {DAYS} is the condition on the day.
CREATE OR REPLACE TEMP TABLE merged AS
WITH ranked_labels AS (
  {RANKED_LABELS}
),
known AS (
  SELECT rowid AS row_before, * FROM message_states WHERE {DAYS}
),
matched AS (
  SELECT
    arrived.*,
    row_before,
    known.accepted AS accepted_before,
    known.outcome AS outcome_before,
    known.proxy AS proxy_before,
    known.seen AS seen_before,
    -- With the rank of the label in place of its id, for comparison.
    (known.accepted & ~8589934591::UBIGINT) | (label_rank << 1) | (known.accepted & 1) AS ranked_before
  FROM arrived
  LEFT JOIN known ON known.key_high = arrived.key_high AND known.key_low = arrived.key_low AND known.day = arrived.day
  LEFT JOIN ranked_labels ON ranked_labels.id::UBIGINT = (known.accepted >> 1) & 4294967295
)
SELECT
  matched.* EXCLUDE (ranked, ranked_before) REPLACE (
    lesser(outcome, outcome_before) AS outcome,
    lesser(proxy, proxy_before) AS proxy,
    seen | coalesce(seen_before, 0) AS seen
  ),
  (lesser(ranked, ranked_before) & ~8589934591::UBIGINT) | (id << 1)::UBIGINT | (lesser(ranked, ranked_before) & 1)
    AS accepted
FROM matched LEFT JOIN ranked_labels ON label_rank = (lesser(ranked, ranked_before) >> 1) & 4294967295
WHERE row_before IS NULL
  OR ranked < coalesce(ranked_before, ranked + 1)
  OR outcome < coalesce(outcome_before, outcome + 1)
  OR proxy < coalesce(proxy_before, proxy + 1)
  OR seen & ~seen_before <> 0;
