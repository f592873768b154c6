-- Publishes days that a run has stored. Without a row, a run with a higher fencing number has begun. The lock on the
-- row of publications is held until the commit, so a process that has seen a publication has also seen all earlier ones.
WITH publication AS (
  UPDATE waybill.publications
  SET {NEXT_NUMBER}
  WHERE $5::bigint IS NULL OR coalesce((fences ->> $4)::bigint, 0) <= $5
  RETURNING number
), published AS (
  INSERT INTO waybill.days AS day
    (project, day, version, is_empty, publication, published_at, rolled_up, rolled_up_events)
  SELECT $1, run.day, $2, run.is_empty, publication.number, {NOW}, run.changes, run.events
  FROM publication, unnest($6::integer[], $7::boolean[], $8::bigint[], $9::bigint[])
    AS run (day, is_empty, changes, events)
  ORDER BY run.day
  ON CONFLICT (project, day) DO UPDATE SET
    version = greatest(day.version, excluded.version),
    is_empty = CASE WHEN excluded.version > day.version THEN excluded.is_empty ELSE day.is_empty END,
    publication = CASE WHEN excluded.version > day.version THEN excluded.publication ELSE day.publication END,
    published_at = CASE WHEN excluded.version > day.version THEN excluded.published_at ELSE day.published_at END,
    rolled_up = greatest(day.rolled_up, excluded.rolled_up),
    rolled_up_events = greatest(day.rolled_up_events, excluded.rolled_up_events),
    -- Changes that this rollup has not seen came after it began.
    since = CASE
      WHEN excluded.rolled_up > coalesce(day.rolled_up, 0) THEN greatest(day.since, $3::bigint)
      ELSE day.since
    END
  WHERE NOT (day.is_closed AND excluded.rolled_up IS NOT NULL)
)
SELECT pg_notify('{CHANNEL}', 'days') FROM publication
