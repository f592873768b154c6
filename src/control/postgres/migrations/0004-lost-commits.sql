-- A database that loses commits, by a failover or a restore, must not use their numbers again. Versions of runs and numbers of
-- publications therefore follow the clock, with a random part, and a process that has seen a lost number notices.
ALTER TABLE waybill.publications ADD COLUMN recent bigint[] NOT NULL DEFAULT '{}'; -- numbers before the last one, newest first
UPDATE waybill.publications SET number = greatest(number, (SELECT last_value FROM waybill.versions));
DROP SEQUENCE waybill.versions;
COMMENT ON COLUMN waybill.days.changes IS 'number of the last change by events, likewise';

-- The highest fencing number of each lease under which runs have begun, by its name.
ALTER TABLE waybill.publications ADD COLUMN fences jsonb NOT NULL DEFAULT '{}';
ALTER TABLE waybill.publications DROP COLUMN fence;
