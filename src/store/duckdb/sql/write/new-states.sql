-- Counts states that the entries do not count yet, by day, with their last append. The lists $days and $counted are days
-- and the last append whose states are counted. {DAYS} is the condition on days.
SELECT day, count(*), max(append_number)
FROM message_states
JOIN (SELECT unnest($days::INTEGER[]) AS day, unnest($counted::BIGINT[]) AS counted) AS appends USING (day)
-- The condition on all days together lets the engine skip parts of the table.
WHERE {DAYS} AND append_number > $counted_of_all::BIGINT AND append_number > counted
GROUP BY day
