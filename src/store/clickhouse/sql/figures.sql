-- Table sizes on disk, and row numbers.
SELECT table, toUInt64(sum(bytes_on_disk)), toUInt64(sum(rows))
FROM {PARTS}
WHERE database = {DATABASE_NAME} AND active
GROUP BY table
