-- The changes from the number $1 on: the last one that a process knows, unless the database has lost it, and those after it.
SELECT number, id, time, principal, project, app_id, revision, update_mask,
  ttl_seconds, ttl_nanos, previous_ttl_seconds, previous_ttl_nanos
FROM waybill.config_changes
WHERE number >= $1
ORDER BY number
