-- Counts messages with new states by fate: adds 1 to a message's current fate, and subtracts 1 from the fate that its
-- earlier states had. {DAYS} is the condition on days. $days lists them, $counted lists the last append of each day that
-- is counted already, and $until lists the last append to count.
--
-- A message's state combines all its rows. Every aggregate is a minimum or a bitwise OR, so that order and repetition of
-- events do not matter. Labels are compared by rank.
--
-- If no state is counted already, there are no earlier states, so that their columns and changes are omitted.
INSERT INTO fates
WITH appends AS MATERIALIZED (
  SELECT unnest($days::INTEGER[]) AS day, unnest($counted::BIGINT[]) AS counted, unnest($until::BIGINT[]) AS until
),
-- The conditions on all days together let the engine skip parts of the table.
in_range AS NOT MATERIALIZED (
  SELECT day, app, key_high, key_low, accepted, outcome, proxy, seen, append_number
  FROM message_states
  WHERE {DAYS} AND key_low BETWEEN $first_key::UBIGINT AND $last_key::UBIGINT
),
new_states AS NOT MATERIALIZED (
  SELECT in_range.* EXCLUDE (append_number), true AS is_new
  FROM in_range JOIN appends USING (day)
  WHERE append_number > $counted_of_all::BIGINT AND append_number > counted AND append_number <= until
),
states AS {STATES},
-- Ranks only occurring labels in byte order: ranking all labels of a project would last longer than a small rollup.
ranked_labels AS MATERIALIZED (
  SELECT occurring.id, (row_number() OVER (ORDER BY name))::UBIGINT AS label_rank
  FROM (SELECT DISTINCT label_of(accepted) AS id FROM states WHERE accepted IS NOT NULL) AS occurring
  JOIN (SELECT id::UBIGINT AS id, name FROM labels WHERE project = $project UNION ALL SELECT 0, '') AS named USING (id)
),
messages AS (
  SELECT
    day,
    any_value(app) AS app,
    min(with_label(accepted, label_rank)) AS accepted,
    min(outcome) AS outcome,
    min(proxy) AS proxy,
    bit_or(seen) AS seen
    {BEFORE}
  FROM states LEFT JOIN ranked_labels ON ranked_labels.id = label_of(accepted)
  GROUP BY day, key_high, key_low
),
changes AS (
  {CHANGES}
),
fates_by_rank AS (
  SELECT
    day,
    app,
    label_of(accepted) AS label_rank,
    accepted & 1 = 1 AS notification,
    outcome & 31 AS outcome,
    if(accepted & 1 = 1, proxy & 31, NULL) AS proxy,
    seen,
    sum(weight) AS messages
  FROM changes
  GROUP BY ALL
  HAVING sum(weight) <> 0
)
SELECT day, app, id AS label, notification, outcome, proxy, seen, messages
FROM fates_by_rank LEFT JOIN ranked_labels USING (label_rank);
