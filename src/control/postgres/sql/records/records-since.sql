-- The next records of kind $1 that have changed after revision $2, at least $4 unless no others are left, with all changes of each
-- revision; also the last revision of all records and of deleted ones without traces, as of one moment. An unknown revision $3 may be
-- old, or belong to a commit that the database has lost.
SELECT
  coalesce((SELECT max(revision) FROM waybill.record_revisions), 0) AS last,
  coalesce((SELECT revision FROM waybill.forgotten_records WHERE kind = $1), 0) AS forgotten,
  EXISTS (SELECT FROM waybill.record_revisions WHERE revision = $3) AS is_known,
  coalesce((
    SELECT json_agg(
      json_build_object('key', key, 'value', value, 'revision', revision, 'expire_time', expire_time)
      ORDER BY revision, key
    )
    FROM waybill.records
    WHERE is_followed AND kind = $1 AND revision > $2 AND revision <= coalesce((
      SELECT revision FROM waybill.records
      WHERE is_followed AND kind = $1 AND revision > $2
      ORDER BY revision OFFSET $4 - 1 LIMIT 1
    ), 9223372036854775807)
  ), '[]') AS rows
