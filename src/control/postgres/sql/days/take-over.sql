-- Adds days from another store. Their entries, states and waiting events are stored under version $2. Known days stay
-- unchanged. The statement holds the lock on the publications row until the commit.
WITH publication AS (
  UPDATE waybill.publications SET {NEXT_NUMBER} RETURNING number
), taken AS (
  INSERT INTO waybill.days (project, day, changes, events, rolled_up, rolled_up_events, since, has_states,
    version, is_empty, publication, published_at)
  SELECT
    $1, former.day,
    former.rolled_up + (former.waiting > 0)::integer, former.rolled_up_events + former.waiting,
    former.rolled_up, former.rolled_up_events, former.since, former.has_states,
    $2, former.is_empty, publication.number, {NOW}
  FROM publication, unnest($3::integer[], $4::integer[], $5::bigint[], $6::bigint[], $7::bigint[], $8::boolean[],
      $9::boolean[])
    AS former (day, rolled_up, rolled_up_events, waiting, since, has_states, is_empty)
  ORDER BY former.day
  ON CONFLICT (project, day) DO NOTHING
)
SELECT pg_notify('{CHANNEL}', 'days') FROM publication
