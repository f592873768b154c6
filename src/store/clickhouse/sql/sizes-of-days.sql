-- The number of parts of states on each day that has any.
SELECT day, count() FROM {MESSAGE_STATES} WHERE project = {PROJECT} AND day IN ({DAYS}) GROUP BY day
