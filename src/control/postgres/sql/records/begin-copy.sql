-- Begins a copy of a source unless a copy has begun, and returns the copy that has begun. Returns no row if there are days of other data.
WITH begun AS (
  INSERT INTO waybill.copy (source)
  SELECT $1
  WHERE
    NOT EXISTS (SELECT FROM waybill.days)
    AND NOT EXISTS (SELECT FROM waybill.record_history)
    AND NOT EXISTS (SELECT FROM waybill.sealed_days WHERE excluded_until IS NOT NULL)
  ON CONFLICT DO NOTHING
  RETURNING source, is_complete
)
SELECT source, is_complete FROM begun
UNION ALL
SELECT source, is_complete FROM waybill.copy
LIMIT 1
