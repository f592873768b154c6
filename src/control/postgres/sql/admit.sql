-- The lock on the row makes a seal wait until this admission can be seen, and this admission wait for a seal.
WITH sealed AS (SELECT excluded_until FROM waybill.sealed_days FOR SHARE)
INSERT INTO waybill.admissions (excluded_until, ends_at)
SELECT excluded_until, clock_timestamp() + $1 * interval '1 millisecond' FROM sealed
RETURNING id, excluded_until
