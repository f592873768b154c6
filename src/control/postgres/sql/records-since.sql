-- Records of kind $1 that have changed after revision $2, and the last revision of all, as of one moment. An unknown revision $2 may
-- be old, from before deletions without traces, or belong to a commit that the database has lost.
SELECT
  coalesce((SELECT max(revision) FROM waybill.record_revisions), 0) AS last,
  EXISTS (SELECT FROM waybill.record_revisions WHERE revision = $2)
    AND NOT EXISTS (SELECT FROM waybill.forgotten_records WHERE kind = $1 AND revision > $2) AS is_known,
  coalesce((
    SELECT json_agg(changed ORDER BY revision, key)
    FROM waybill.records AS changed
    WHERE is_followed AND kind = $1 AND revision > $2
  ), '[]') AS rows
