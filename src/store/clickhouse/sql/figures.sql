-- Size of the tables on disk, and the number of their rows.
SELECT table, toUInt64(sum(bytes_on_disk)), toUInt64(sum(rows))
FROM {PARTS}
WHERE database = {DATABASE_NAME} AND active
GROUP BY table
