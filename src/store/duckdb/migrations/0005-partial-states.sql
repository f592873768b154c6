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

-- An event that waits is the state of a message with this event alone. Of the numbers of event types, 1 is ACCEPTED, 2 to 7
-- are outcomes, and 14 to 19 are proxy results.
INSERT INTO partial_states
SELECT
  project,
  day,
  app,
  key_high,
  key_low,
  CASE WHEN rank & 31 = 1 THEN ((rank >> 5)::UBIGINT << 33) | (label::UBIGINT << 1) | notification::UBIGINT END,
  CASE WHEN rank & 31 BETWEEN 2 AND 7 THEN rank END,
  CASE WHEN rank & 31 BETWEEN 14 AND 19 THEN rank END,
  1::UINTEGER << (rank & 31)
FROM events;

DROP TABLE events;
