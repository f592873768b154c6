-- Records a change if it is the first with its revision; without a row, another one was. The lock on the counter is
-- held until the commit: who has seen a change has seen all before it.
WITH counter AS (
  UPDATE waybill.config_counter SET number = number + 1 RETURNING number
), change AS (
  INSERT INTO waybill.config_changes (number, id, time, principal, project, app_id, revision, update_mask,
    ttl_seconds, ttl_nanos, previous_ttl_seconds, previous_ttl_nanos)
  SELECT number, $1, clock_timestamp(), $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM counter
  ON CONFLICT (project, app_id, revision) DO NOTHING
  RETURNING number
)
SELECT pg_notify('{CHANNEL}', 'configs') FROM change
