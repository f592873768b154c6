named_labels AS (
  SELECT id::UBIGINT AS id, name FROM labels WHERE project = $project UNION ALL SELECT 0, ''
),
grouped AS (
  SELECT
    day,
    app,
    label AS id,
    sum(messages)::BIGINT AS count_messages_accepted,
    total(messages, notification) AS count_notifications_accepted,
    total(messages, outcome IS NULL AND seen & {DISCONNECTED} <> 0) AS pending,
    total(messages, outcome = {DELIVERED} AND seen & {DELAYS} = 0) AS delivered_no_delay,
    {COUNTS_OF_TYPES}
  FROM fates
  GROUP BY day, app, label
),
changes AS (
  SELECT name AS label, grouped.* EXCLUDE (id) FROM grouped JOIN named_labels USING (id)
),
summed AS (
  SELECT day, app, label, sum(COLUMNS(* EXCLUDE (day, app, label)))::BIGINT
  FROM (
    SELECT * EXCLUDE (project, original_form, original_figures, fetched_at) FROM entries SEMI JOIN counted_days USING (project, day) WHERE {DAYS}
    UNION ALL BY NAME
    FROM changes
  )
  GROUP BY day, app, label
)
