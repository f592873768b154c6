-- Adds records from another store. Replaces records from an earlier attempt.
WITH added AS (
  INSERT INTO waybill.records (kind, key, value, revision, is_followed, expire_time)
  SELECT kind, key, value, revision, "isFollowed", "expireTime"
  FROM json_to_recordset($1)
    AS copied (kind text, key text, value text, revision bigint, "isFollowed" boolean, "expireTime" bigint)
  ON CONFLICT (kind, key) DO UPDATE SET
    value = excluded.value, revision = excluded.revision, expire_time = excluded.expire_time
  RETURNING revision, is_followed
)
INSERT INTO waybill.record_revisions
SELECT max(revision) FROM added WHERE is_followed HAVING count(*) > 0
ON CONFLICT DO NOTHING
