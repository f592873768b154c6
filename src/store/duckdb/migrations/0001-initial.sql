-- Names are kept once and referred to by number. Number 0 of the labels is "no label" and stands in no row.
CREATE TABLE apps (id INTEGER NOT NULL, project BIGINT NOT NULL, name VARCHAR NOT NULL);
CREATE TABLE labels (id INTEGER NOT NULL, project BIGINT NOT NULL, name VARCHAR NOT NULL);

-- The states of messages: what the rollup needs to know of the events of a message on a day. One row for each message.
CREATE TABLE message_states (
  project BIGINT NOT NULL,       -- project number
  day INTEGER NOT NULL,          -- days since 1970-01-01, as counted in America/Los_Angeles
  app INTEGER NOT NULL,          -- apps.id
  key_high UBIGINT NOT NULL,     -- 128-bit digest of app id and message id
  key_low UBIGINT NOT NULL,
  accepted UBIGINT,              -- of the earliest ACCEPTED: milliseconds since the day began << 33, labels.id << 1,
                                 -- notification; NULL without an ACCEPTED
  outcome UINTEGER,              -- least rank of an outcome; NULL without one. A rank is 32 * milliseconds since the day
                                 -- began + number of the event type: the least is the earliest, and at one instant the
                                 -- first by the order of the types
  proxy UINTEGER,                -- least rank of a proxy result; NULL without one
  seen UINTEGER NOT NULL         -- a bit for each type of event, by its number
);

-- What has arrived since the last rollup of its day: partial states of messages, of which a message has any number. An
-- import merges its events into these before they are stored. Columns as in message_states.
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

-- A row for each import and day that no rollup has seen yet, with its number of events. Days that are not listed yet are
-- merged once many events have arrived.
CREATE TABLE stale_days (
  project BIGINT NOT NULL,
  day INTEGER NOT NULL,
  since BIGINT NOT NULL,         -- when it was stored, in milliseconds since 1970
  events BIGINT NOT NULL
);

-- The days whose entries count the messages in message_states. The entries of other days come from elsewhere.
CREATE TABLE counted_days (project BIGINT NOT NULL, day INTEGER NOT NULL);

-- The last day that takes no events any more, and whose states of messages go, as do all days before it. One row at most.
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
  -- Entries that another service gave: each as it came, and since when it has been like this, in milliseconds since 1970.
  -- The text is divided in its form and its figures, apart from each other and compressed as columns: a third of its space.
  -- All are NULL in entries that come from events.
  original_form VARCHAR,
  original_figures VARCHAR,      -- NULL if the form is the whole text
  fetched_at BIGINT
);

-- Entries as the other service gave them until a later answer replaced them.
CREATE TABLE entry_versions (
  project BIGINT NOT NULL,
  app INTEGER NOT NULL,          -- apps.id
  day INTEGER NOT NULL,
  label VARCHAR NOT NULL,
  fetched_at BIGINT NOT NULL,    -- since when it was like this
  original_form VARCHAR NOT NULL,
  original_figures VARCHAR
);

-- The answers of the other service, and their bodies: a body that came many times stands once.
CREATE TABLE answers (
  project BIGINT NOT NULL,
  app INTEGER NOT NULL,          -- apps.id
  fetched_at BIGINT NOT NULL,    -- when it had come, in milliseconds since 1970
  url VARCHAR NOT NULL,
  digest BLOB NOT NULL           -- SHA-256 of the body
);
CREATE TABLE answer_bodies (
  project BIGINT NOT NULL,
  app INTEGER NOT NULL,
  digest BLOB NOT NULL,
  body BLOB NOT NULL             -- in gzip
);
