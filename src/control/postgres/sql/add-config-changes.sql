-- Records changes that were made elsewhere, in their order. Those that are known are left out.
WITH changes AS (
  SELECT *
  FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::text[],
    $8::bigint[], $9::integer[], $10::bigint[], $11::integer[]) WITH ORDINALITY
    AS change (id, time, principal, project, app_id, revision, update_mask,
      ttl_seconds, ttl_nanos, previous_ttl_seconds, previous_ttl_nanos, place)
), counter AS (
  UPDATE waybill.config_counter
  SET number = number + (SELECT count(*) FROM changes)
  RETURNING number - (SELECT count(*) FROM changes) AS before
)
INSERT INTO waybill.config_changes (number, id, time, principal, project, app_id, revision, update_mask,
  ttl_seconds, ttl_nanos, previous_ttl_seconds, previous_ttl_nanos)
SELECT before + place, id, time, principal, project, app_id, revision, update_mask,
  ttl_seconds, ttl_nanos, previous_ttl_seconds, previous_ttl_nanos
FROM counter, changes
ON CONFLICT (project, app_id, revision) DO NOTHING
