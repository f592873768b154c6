-- Step 2 of a merge: the previous and new states of messages that already have one. {DAYS} is the condition on
-- days.
CREATE OR REPLACE TEMP TABLE merged AS
WITH known AS (
  SELECT rowid AS row_before, * FROM message_states WHERE {DAYS}
),
-- Only keys are in memory during the join.
matched AS MATERIALIZED (
  SELECT
    arrived.rowid AS row_arrived,
    row_before,
    known.accepted AS accepted_before,
    known.outcome AS outcome_before,
    known.proxy AS proxy_before,
    known.seen AS seen_before
  FROM arrived
  JOIN known ON known.key_high = arrived.key_high AND known.key_low = arrived.key_low AND known.day = arrived.day
),
ranked_labels AS MATERIALIZED (
  {RANKED_LABELS}
),
after AS (
  SELECT
    matched.*,
    arrived.* REPLACE (
      if(
        with_label(accepted_before, rank_before.label_rank) < with_label(accepted, rank.label_rank),
        accepted_before,
        coalesce(accepted, accepted_before)
      ) AS accepted,
      lesser(outcome, outcome_before) AS outcome,
      lesser(proxy, proxy_before) AS proxy,
      seen | seen_before AS seen
    )
  FROM matched
  JOIN arrived ON arrived.rowid = row_arrived
  LEFT JOIN ranked_labels AS rank ON rank.id = label_of(accepted)
  LEFT JOIN ranked_labels AS rank_before ON rank_before.id = label_of(accepted_before)
)
SELECT
  *,
  accepted IS DISTINCT FROM accepted_before
    OR outcome IS DISTINCT FROM outcome_before
    OR proxy IS DISTINCT FROM proxy_before
    OR seen <> seen_before AS is_changed
FROM after;
