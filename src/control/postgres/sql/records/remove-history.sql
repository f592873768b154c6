-- Removes up to $2 changes from before $1, oldest first.
DELETE FROM waybill.record_history AS entry
USING (
  SELECT revision, kind, key FROM waybill.record_history WHERE time < $1 ORDER BY time LIMIT $2 FOR UPDATE SKIP LOCKED
) AS old
WHERE entry.revision = old.revision AND entry.kind = old.kind AND entry.key = old.key
RETURNING entry.revision
