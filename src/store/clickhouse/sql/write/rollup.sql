-- Computes entries of days, under a version that is not published yet. Each shard groups its own messages.
INSERT INTO {ENTRIES} (project, day, app, label, version, {COUNTS})
SELECT {PROJECT}, day, app, label, {VERSION}, {COUNTS}
FROM (
  SELECT
    day,
    app,
    label,
    count() AS count_messages_accepted,
    countIf(notification) AS count_notifications_accepted,
    countIf(outcome = 0 AND bitAnd(seen, {DISCONNECTED}) != 0) AS pending,
    countIf(outcome = {DELIVERED} AND bitAnd(seen, {DELAYS}) = 0) AS delivered_no_delay,
    {COUNTS_OF_TYPES}
  FROM {FATES}
  WHERE project = {PROJECT} AND day IN ({DAYS})
  GROUP BY day, app, label
)
