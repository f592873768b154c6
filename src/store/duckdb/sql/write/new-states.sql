-- Counts states that the entries do not count yet, by day, with their last append. {DAYS} is the condition on days. $days
-- lists them, and $counted lists the last append of each day that is counted already.
SELECT day, count(*), max(append_number)
FROM message_states
JOIN (SELECT unnest($days::INTEGER[]) AS day, unnest($counted::BIGINT[]) AS counted) AS appends USING (day)
-- The condition on all days together lets the engine skip parts of the table.
WHERE {DAYS} AND append_number > $counted_of_all::BIGINT AND append_number > counted
GROUP BY day
