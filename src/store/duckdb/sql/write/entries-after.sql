-- Last step of a merge: computes new entries from the fates. Adds them to the existing entries if these already
-- count message states. Macros: total(messages, condition) counts messages that match a condition. saw(seen, type)
-- is true for messages with an event of the type.
CREATE OR REPLACE TEMP TABLE entries_after AS
WITH {SUMMED}
SELECT $project AS project, * FROM summed WHERE count_messages_accepted > 0;
