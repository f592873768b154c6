-- Each name is stored once and referenced by id. Label id 0 stands for no label and has no row.
CREATE TABLE apps (id INTEGER NOT NULL, project BIGINT NOT NULL, name VARCHAR NOT NULL);
CREATE TABLE labels (id INTEGER NOT NULL, project BIGINT NOT NULL, name VARCHAR NOT NULL);

-- Message states: a summary of a message's events on one day, for the rollup. One row per message and day.
CREATE TABLE message_states (
  project BIGINT NOT NULL,       -- project number
  day INTEGER NOT NULL,          -- days since 1970-01-01, as counted in America/Los_Angeles
  app INTEGER NOT NULL,          -- apps.id
  key_high UBIGINT NOT NULL,     -- 128-bit digest of app id and message id
  key_low UBIGINT NOT NULL,
  accepted UBIGINT,              -- earliest ACCEPTED event: milliseconds since the day began << 33, labels.id << 1,
                                 -- notification. NULL without an ACCEPTED event
  outcome UINTEGER,              -- lowest rank of an outcome, NULL without one. A rank is 32 * milliseconds since the
                                 -- day began + event type number: the lowest is the earliest, and among simultaneous
                                 -- outcomes the first in the order of types
  proxy UINTEGER,                -- lowest rank of a proxy result, NULL without one
  seen UINTEGER NOT NULL         -- event types that occurred, as a bit set by type number
);

-- Partial states that arrived since the last rollup of their day. An import merges its events into partial states before
-- it stores them. A message may have any number of them. Columns as in message_states.
CREATE TABLE partial_states (
  project BIGINT NOT NULL,
  day INTEGER NOT NULL,
  app INTEGER NOT NULL,
  key_high UBIGINT NOT NULL,
  key_low UBIGINT NOT NULL,
  accepted UBIGINT,
  outcome UINTEGER,
  proxy UINTEGER,
  seen UINTEGER NOT NULL
);

-- Imported events that are not rolled up yet: one row per import and day. Days that are not listed yet are rolled up only
-- after many events.
CREATE TABLE stale_days (
  project BIGINT NOT NULL,
  day INTEGER NOT NULL,
  since BIGINT NOT NULL,         -- time of the import, in milliseconds since 1970
  events BIGINT NOT NULL
);

-- Days with entries that count message_states. Entries of other days are mirrored.
CREATE TABLE counted_days (project BIGINT NOT NULL, day INTEGER NOT NULL);

-- The last sealed day. It and all earlier days accept no events, and their message states are removed. At most one row.
CREATE TABLE sealed_days (until INTEGER NOT NULL);

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
  skipped_opted_out BIGINT NOT NULL,
  -- Mirrored entries: the text upstream, and when a response first contained it, in milliseconds since 1970.
  -- The text is split into form and figures. As separate compressed columns, they use a third of the space.
  -- All are NULL in entries from events.
  original_form VARCHAR,
  original_figures VARCHAR,      -- NULL if the form is the complete text
  fetched_at BIGINT
);

-- Previous versions of mirrored entries, until a later response changed them.
CREATE TABLE entry_versions (
  project BIGINT NOT NULL,
  app INTEGER NOT NULL,          -- apps.id
  day INTEGER NOT NULL,
  label VARCHAR NOT NULL,
  fetched_at BIGINT NOT NULL,    -- time of the first response with this text
  original_form VARCHAR NOT NULL,
  original_figures VARCHAR
);

-- Upstream responses, and their bodies. Identical bodies about an app are stored once.
CREATE TABLE responses (
  project BIGINT NOT NULL,
  app INTEGER NOT NULL,          -- apps.id
  fetched_at BIGINT NOT NULL,    -- time of receipt, in milliseconds since 1970
  url VARCHAR NOT NULL,
  digest BLOB NOT NULL           -- SHA-256 of the body
);
CREATE TABLE response_bodies (
  project BIGINT NOT NULL,
  app INTEGER NOT NULL,
  digest BLOB NOT NULL,
  body BLOB NOT NULL             -- compressed with gzip
);
