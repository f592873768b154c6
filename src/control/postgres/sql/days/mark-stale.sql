-- Ends an admission, and counts a change of each day. Returns no row if the admission has already ended.
-- Locks rows in key order, as other statements do, so that two of them never wait for each other.
WITH ended AS (
  DELETE FROM waybill.admissions WHERE id = $1 AND ends_at > clock_timestamp() RETURNING id
), marked AS (
  INSERT INTO waybill.days AS day (project, day, changes, events, since, has_states)
  SELECT changed.project, changed.day, {NUMBER}, changed.events, {NOW}, true
  FROM ended, unnest($2::bigint[], $3::integer[], $4::bigint[]) AS changed (project, day, events)
  ORDER BY changed.project, changed.day
  ON CONFLICT (project, day) DO UPDATE SET
    changes = greatest(day.changes + 1, excluded.changes),
    events = day.events + excluded.events,
    since = CASE WHEN day.changes > coalesce(day.rolled_up, 0) THEN day.since ELSE excluded.since END,
    has_states = true
)
SELECT id FROM ended
