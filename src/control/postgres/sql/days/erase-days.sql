-- Erases up to $2 days of a project. Returns no row if it has no days. A publication number remains in a row before all days: processes
-- that follow publications notice that the entries have changed. The row of publications is locked before days, as in publish.sql.
WITH publication AS (
  UPDATE waybill.publications
  SET {NEXT_NUMBER}
  WHERE EXISTS (SELECT FROM waybill.days WHERE project = $1 AND day > {BEFORE_ALL_DAYS})
  RETURNING number
), chosen AS (
  SELECT known.day
  FROM publication, waybill.days AS known
  WHERE known.project = $1 AND known.day > {BEFORE_ALL_DAYS}
  ORDER BY known.day
  LIMIT $2
  FOR UPDATE OF known
), erased AS (
  DELETE FROM waybill.days AS known USING chosen WHERE known.project = $1 AND known.day = chosen.day
), marked AS (
  INSERT INTO waybill.days AS day (project, day, publication, published_at)
  SELECT $1, {BEFORE_ALL_DAYS}, number, {NOW} FROM publication
  ON CONFLICT (project, day) DO UPDATE SET publication = excluded.publication, published_at = excluded.published_at
)
SELECT pg_notify('{CHANNEL}', 'days') FROM publication
