-- The delivery data of one day of one project, from the set of its events (docs/semantics.md). Every aggregate is a
-- minimum or a bitwise or, so neither the order of the events nor their repetition matters.
-- Words in braces are numbers of event types; $project, $day are the parameters.
INSERT INTO entries BY NAME
WITH ranked_labels AS (
  -- Labels in the order of their bytes, by which two ACCEPTED of one instant are told apart.
  SELECT id, name, row_number() OVER (ORDER BY name) AS label_rank
  FROM (SELECT id, name FROM labels WHERE project = $project UNION ALL SELECT 0, '')
),
messages AS (
  SELECT
    any_value(app) AS app,
    min(((rank >> 5)::BIGINT << 33) | (label_rank << 1) | notification::BIGINT)
      FILTER (rank & 31 = {ACCEPTED}) AS accepted,
    min(rank) FILTER (rank & 31 BETWEEN {DELIVERED} AND {DROPPED_TTL_EXPIRED}) AS outcome,
    min(rank) FILTER (rank & 31 BETWEEN {PROXY_PROXIED} AND {PROXY_SKIPPED_OPTED_OUT}) AS proxy,
    bit_or(1::UINTEGER << (rank & 31)) AS seen
  FROM events JOIN ranked_labels ON events.label = ranked_labels.id
  WHERE project = $project AND day = $day
  GROUP BY key_high, key_low
),
counted AS (
  SELECT
    app,
    (accepted >> 1) & 4294967295 AS label_rank,
    accepted & 1 = 1 AS notification,
    outcome & 31 AS outcome,
    CASE WHEN accepted & 1 = 1 THEN proxy & 31 END AS proxy,
    seen,
    outcome & 31 = {DELIVERED} AS delivered
  FROM messages
  WHERE accepted IS NOT NULL
),
grouped AS (
  SELECT
    app,
    label_rank,
    count(*) AS count_messages_accepted,
    count(*) FILTER (notification) AS count_notifications_accepted,
    count(*) FILTER (delivered) AS delivered,
    count(*) FILTER (outcome IS NULL AND seen & ((1 << {STORED}) | (1 << {DELAYED_DEVICE_OFFLINE})) <> 0) AS pending,
    count(*) FILTER (outcome = {COLLAPSED}) AS collapsed,
    count(*) FILTER (outcome = {DROPPED_TOO_MANY_PENDING_MESSAGES}) AS dropped_too_many_pending_messages,
    count(*) FILTER (outcome = {DROPPED_APP_FORCE_STOPPED}) AS dropped_app_force_stopped,
    count(*) FILTER (outcome = {DROPPED_DEVICE_INACTIVE}) AS dropped_device_inactive,
    count(*) FILTER (outcome = {DROPPED_TTL_EXPIRED}) AS dropped_ttl_expired,
    count(*) FILTER (delivered AND seen & (
      (1 << {DELAYED_DEVICE_OFFLINE}) | (1 << {DELAYED_DEVICE_DOZE})
      | (1 << {DELAYED_MESSAGE_THROTTLED}) | (1 << {DELAYED_USER_STOPPED})) = 0) AS delivered_no_delay,
    count(*) FILTER (delivered AND seen & (1 << {DELAYED_DEVICE_OFFLINE}) <> 0) AS delayed_device_offline,
    count(*) FILTER (delivered AND seen & (1 << {DELAYED_DEVICE_DOZE}) <> 0) AS delayed_device_doze,
    count(*) FILTER (delivered AND seen & (1 << {DELAYED_MESSAGE_THROTTLED}) <> 0) AS delayed_message_throttled,
    count(*) FILTER (delivered AND seen & (1 << {DELAYED_USER_STOPPED}) <> 0) AS delayed_user_stopped,
    count(*) FILTER (seen & (1 << {PRIORITY_LOWERED}) <> 0) AS priority_lowered,
    count(*) FILTER (proxy = {PROXY_PROXIED}) AS proxied,
    count(*) FILTER (proxy = {PROXY_FAILED}) AS failed,
    count(*) FILTER (proxy = {PROXY_SKIPPED_UNSUPPORTED}) AS skipped_unsupported,
    count(*) FILTER (proxy = {PROXY_SKIPPED_NOT_THROTTLED}) AS skipped_not_throttled,
    count(*) FILTER (proxy = {PROXY_SKIPPED_UNCONFIGURED}) AS skipped_unconfigured,
    count(*) FILTER (proxy = {PROXY_SKIPPED_OPTED_OUT}) AS skipped_opted_out
  FROM counted
  GROUP BY app, label_rank
)
SELECT $project AS project, $day AS day, name AS label, grouped.* EXCLUDE (label_rank)
FROM grouped JOIN ranked_labels USING (label_rank)
-- Neighbours of a page are neighbours on disk.
ORDER BY app, label;
