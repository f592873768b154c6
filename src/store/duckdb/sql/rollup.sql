-- Second step of the rollup of days: computes the entries from the fates of the messages.
-- total(messages, condition) counts the messages that meet a condition; saw(seen, type) is true for messages
-- with an event of the type. COUNTS_OF_TYPES are the counts that the contract gives to event types.
INSERT INTO entries BY NAME
WITH ranked_labels AS (
  {RANKED_LABELS}
),
grouped AS (
  SELECT
    day,
    app,
    label_rank,
    sum(messages) AS count_messages_accepted,
    total(messages, notification) AS count_notifications_accepted,
    total(messages, outcome IS NULL AND seen & {DISCONNECTED} <> 0) AS pending,
    total(messages, outcome = {DELIVERED} AND seen & {DELAYS} = 0) AS delivered_no_delay,
    {COUNTS_OF_TYPES}
  FROM fates
  GROUP BY day, app, label_rank
)
SELECT $project AS project, name AS label, grouped.* EXCLUDE (label_rank)
FROM grouped JOIN ranked_labels USING (label_rank)
-- Keeps entries of the same page together on disk.
ORDER BY day, app, label;
