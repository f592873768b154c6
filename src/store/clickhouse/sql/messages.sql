-- The number of messages with events on each of some days. Each shard counts its own, in the order of their keys.
SELECT day, count() FROM {MESSAGE_STATES} FINAL WHERE project = {PROJECT} AND day IN ({DAYS}) GROUP BY day
