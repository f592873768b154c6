-- The lock on the row makes a seal wait until this admission can be seen, and this admission wait for a seal.
-- The commit need not wait for the disk: a crash of the database ends all admissions.
WITH sealed AS (
  SELECT excluded_until FROM waybill.sealed_days FOR SHARE
), commit AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
)
INSERT INTO waybill.admissions (excluded_until, ends_at)
SELECT excluded_until, clock_timestamp() + $1 * interval '1 millisecond' FROM sealed, commit
RETURNING id, excluded_until
