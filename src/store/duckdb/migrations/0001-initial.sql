-- Names are kept once and referred to by number. Number 0 of the labels is "no label" and stands in no row.
CREATE TABLE apps (id INTEGER NOT NULL, project BIGINT NOT NULL, name VARCHAR NOT NULL);
CREATE TABLE labels (id INTEGER NOT NULL, project BIGINT NOT NULL, name VARCHAR NOT NULL);

-- Message events, as they came: duplicates included, in no order.
CREATE TABLE events (
  project BIGINT NOT NULL,       -- project number
  day INTEGER NOT NULL,          -- days since 1970-01-01, as counted in America/Los_Angeles
  app INTEGER NOT NULL,          -- apps.id
  key_high UBIGINT NOT NULL,     -- 128-bit digest of app id and message id
  key_low UBIGINT NOT NULL,
  rank UINTEGER NOT NULL,        -- 32 * milliseconds since the day began + number of the event type: the least is the
                                 -- earliest, and at one instant the first by the order of the types
  label INTEGER NOT NULL,        -- labels.id
  notification BOOLEAN NOT NULL
);

-- A row for each import and day that no rollup has seen yet.
CREATE TABLE stale_days (project BIGINT NOT NULL, day INTEGER NOT NULL, since BIGINT NOT NULL);

-- Delivery data: counts, from which the percentages follow.
CREATE TABLE entries (
  project BIGINT NOT NULL,
  app INTEGER NOT NULL,
  day INTEGER NOT NULL,
  label VARCHAR NOT NULL,
  count_messages_accepted BIGINT NOT NULL,
  count_notifications_accepted BIGINT NOT NULL,
  delivered BIGINT NOT NULL,
  pending BIGINT NOT NULL,
  collapsed BIGINT NOT NULL,
  dropped_too_many_pending_messages BIGINT NOT NULL,
  dropped_app_force_stopped BIGINT NOT NULL,
  dropped_device_inactive BIGINT NOT NULL,
  dropped_ttl_expired BIGINT NOT NULL,
  delivered_no_delay BIGINT NOT NULL,
  delayed_device_offline BIGINT NOT NULL,
  delayed_device_doze BIGINT NOT NULL,
  delayed_message_throttled BIGINT NOT NULL,
  delayed_user_stopped BIGINT NOT NULL,
  priority_lowered BIGINT NOT NULL,
  proxied BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  skipped_unsupported BIGINT NOT NULL,
  skipped_not_throttled BIGINT NOT NULL,
  skipped_unconfigured BIGINT NOT NULL,
  skipped_opted_out BIGINT NOT NULL
);
