-- Adds changes of records of another store. Those that are known stay.
INSERT INTO waybill.record_history (revision, kind, key, time, value, previous, note)
SELECT revision, kind, key, time, value, previous, note
FROM json_to_recordset($1)
  AS copied (revision bigint, kind text, key text, time bigint, value text, previous text, note text)
ON CONFLICT DO NOTHING
