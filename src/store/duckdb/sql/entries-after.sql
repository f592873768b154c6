-- Last step of a merge: the entries of the days after it. They are what the fates say, added to the entries before it if
-- those count the states before it.
-- total(messages, condition) counts the messages that meet a condition; saw(seen, type) is true for messages
-- with an event of the type. COUNTS_OF_TYPES are the counts that the contract gives to event types.
CREATE OR REPLACE TEMP TABLE entries_after AS
WITH {SUMMED}
SELECT $project AS project, * FROM summed WHERE count_messages_accepted > 0;
