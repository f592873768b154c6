-- Size of the database and of its pending work.
SELECT
  (SELECT path FROM duckdb_databases() WHERE database_name = current_database()) AS file,
  used_blocks * block_size AS used,
  free_blocks * block_size AS free,
  (SELECT coalesce(sum(messages), 0) FROM counted_days) AS messages,
  (SELECT coalesce(sum(events), 0) FROM stale_days) AS waiting_events,
  (SELECT count(DISTINCT (project, day)) FROM stale_days) AS waiting_days,
  (SELECT min(since) FROM stale_days) AS waiting_since,
  (SELECT count(*) FROM counted_days WHERE day <= (SELECT max(until) FROM sealed_days)) AS sealed_days
FROM pragma_database_size()
-- A snapshot in progress is a separate database.
WHERE database_name = current_database();
