-- Rollups no longer merge a message's states into one row, because removed rows need memory: 8 bytes for each row near
-- them. Each row has an append number, and counted days record the last append that their entries count.
-- message_states replaces partial_states, and may have any number of rows for a message and day.
ALTER TABLE message_states ADD COLUMN append_number BIGINT DEFAULT 0;  -- later appends have higher numbers
ALTER TABLE counted_days ADD COLUMN last_append BIGINT DEFAULT 0;      -- number of the last counted append
ALTER TABLE counted_days ADD COLUMN messages BIGINT DEFAULT 0;         -- number of counted messages

UPDATE counted_days SET messages = found.messages
FROM (SELECT project, day, count(*) AS messages FROM message_states GROUP BY ALL) AS found
WHERE counted_days.project = found.project AND counted_days.day = found.day;

INSERT INTO message_states BY NAME SELECT *, 1 AS append_number FROM partial_states;
DROP TABLE partial_states;
