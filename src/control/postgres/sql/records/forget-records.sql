-- Removes up to $3 deleted records of kind $1. Their keys begin with $2. Processes that have not seen the deletions notice that.
WITH old AS (
  SELECT key, revision
  FROM waybill.records
  WHERE kind = $1 AND key >= $2 AND key < $2 || chr(1114111) AND value IS NULL AND is_followed
  ORDER BY key
  LIMIT $3
  FOR UPDATE
), marked AS (
  INSERT INTO waybill.forgotten_records AS forgotten (kind, revision)
  SELECT $1, max(revision) FROM old HAVING count(*) > 0
  ON CONFLICT (kind) DO UPDATE SET revision = greatest(forgotten.revision, excluded.revision)
)
DELETE FROM waybill.records AS record USING old
WHERE record.kind = $1 AND record.key = old.key
RETURNING record.key
