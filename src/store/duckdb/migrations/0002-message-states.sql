-- The states of messages: what the rollup needs to know of the events of a message on a day. One row for each message.
CREATE TABLE message_states (
  project BIGINT NOT NULL,       -- project number
  day INTEGER NOT NULL,          -- days since 1970-01-01, as counted in America/Los_Angeles
  app INTEGER NOT NULL,          -- apps.id
  key_high UBIGINT NOT NULL,     -- 128-bit digest of app id and message id
  key_low UBIGINT NOT NULL,
  accepted UBIGINT,              -- of the earliest ACCEPTED: milliseconds since the day began << 33, labels.id << 1,
                                 -- notification; NULL without an ACCEPTED
  outcome UINTEGER,              -- least rank of an outcome (events.rank); NULL without one
  proxy UINTEGER,                -- least rank of a proxy result; NULL without one
  seen UINTEGER NOT NULL         -- a bit for each type of event, by its number
);

-- The days whose entries count the messages in message_states. The entries of other days are from before.
CREATE TABLE counted_days (project BIGINT NOT NULL, day INTEGER NOT NULL);

-- The number of events of a row. Days that are not listed yet are merged once many events have arrived.
ALTER TABLE stale_days ADD COLUMN events BIGINT DEFAULT 0;

-- From now on, events stay only until they are merged. Those that are there are merged by the next rollups.
INSERT INTO stale_days
SELECT project, day, epoch_ms(now()::TIMESTAMP), count(*) FROM events GROUP BY project, day;
