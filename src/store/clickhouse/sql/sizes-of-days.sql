-- The number of parts of states on each of some days, without reading them. A day is a partition.
SELECT partition, toUInt64(sum(rows))
FROM {PARTS}
WHERE database = {DATABASE_NAME} AND table = 'message_states' AND active AND partition IN ({PARTITIONS})
GROUP BY partition
