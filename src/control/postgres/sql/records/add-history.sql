-- Adds record changes from another store. Keeps changes that exist already.
INSERT INTO waybill.record_history (revision, kind, key, time, value, previous, note)
SELECT revision, kind, key, time, value, previous, note
FROM json_to_recordset($1)
  AS copied (revision bigint, kind text, key text, time bigint, value text, previous text, note text)
ON CONFLICT DO NOTHING
