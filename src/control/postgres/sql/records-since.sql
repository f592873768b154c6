-- The records of the kind $1 that have changed after the revision $2, with the last revision of all, as of one moment. If the revision
-- $2 is not known, it may belong to a commit that the database has lost, or be an old one.
SELECT
  coalesce((SELECT max(revision) FROM waybill.record_revisions), 0) AS last,
  EXISTS (SELECT FROM waybill.record_revisions WHERE revision = $2) AS is_known,
  coalesce((
    SELECT json_agg(changed ORDER BY revision, key)
    FROM waybill.records AS changed
    WHERE is_followed AND kind = $1 AND revision > $2
  ), '[]') AS rows
