-- Second step of the rollup of days: computes the entries from the fates of the messages.
-- total(messages, condition) counts the messages that meet a condition; saw(seen, type) is true for messages
-- with an event of the type.
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
    total(messages, outcome = {DELIVERED}) AS delivered,
    total(messages, outcome IS NULL AND (saw(seen, {STORED}) OR saw(seen, {DELAYED_DEVICE_OFFLINE}))) AS pending,
    total(messages, outcome = {COLLAPSED}) AS collapsed,
    total(messages, outcome = {DROPPED_TOO_MANY_PENDING_MESSAGES}) AS dropped_too_many_pending_messages,
    total(messages, outcome = {DROPPED_APP_FORCE_STOPPED}) AS dropped_app_force_stopped,
    total(messages, outcome = {DROPPED_DEVICE_INACTIVE}) AS dropped_device_inactive,
    total(messages, outcome = {DROPPED_TTL_EXPIRED}) AS dropped_ttl_expired,
    total(
      messages,
      outcome = {DELIVERED}
      AND NOT (saw(seen, {DELAYED_DEVICE_OFFLINE}) OR saw(seen, {DELAYED_DEVICE_DOZE})
        OR saw(seen, {DELAYED_MESSAGE_THROTTLED}) OR saw(seen, {DELAYED_USER_STOPPED}))
    ) AS delivered_no_delay,
    total(messages, outcome = {DELIVERED} AND saw(seen, {DELAYED_DEVICE_OFFLINE})) AS delayed_device_offline,
    total(messages, outcome = {DELIVERED} AND saw(seen, {DELAYED_DEVICE_DOZE})) AS delayed_device_doze,
    total(messages, outcome = {DELIVERED} AND saw(seen, {DELAYED_MESSAGE_THROTTLED})) AS delayed_message_throttled,
    total(messages, outcome = {DELIVERED} AND saw(seen, {DELAYED_USER_STOPPED})) AS delayed_user_stopped,
    total(messages, saw(seen, {PRIORITY_LOWERED})) AS priority_lowered,
    total(messages, proxy = {PROXY_PROXIED}) AS proxied,
    total(messages, proxy = {PROXY_FAILED}) AS failed,
    total(messages, proxy = {PROXY_SKIPPED_UNSUPPORTED}) AS skipped_unsupported,
    total(messages, proxy = {PROXY_SKIPPED_NOT_THROTTLED}) AS skipped_not_throttled,
    total(messages, proxy = {PROXY_SKIPPED_UNCONFIGURED}) AS skipped_unconfigured,
    total(messages, proxy = {PROXY_SKIPPED_OPTED_OUT}) AS skipped_opted_out
  FROM fates
  GROUP BY day, app, label_rank
)
SELECT $project AS project, name AS label, grouped.* EXCLUDE (label_rank)
FROM grouped JOIN ranked_labels USING (label_rank)
-- Keeps entries of the same page together on disk.
ORDER BY day, app, label;
