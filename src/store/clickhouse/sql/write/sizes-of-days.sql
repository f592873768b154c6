-- Row numbers by day, from part sizes. Each day is a partition.
SELECT partition, toUInt64(sum(rows))
FROM {PARTS}
WHERE database = {DATABASE_NAME} AND table = {TABLE_NAME} AND active AND partition IN ({PARTITIONS})
GROUP BY partition
