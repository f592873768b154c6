-- The number of rows of a table on each of some days, without reading them. A day is a partition.
SELECT partition, toUInt64(sum(rows))
FROM {PARTS}
WHERE database = {DATABASE_NAME} AND table = {TABLE_NAME} AND active AND partition IN ({PARTITIONS})
GROUP BY partition
