-- The days of which something is to go: the states of messages of sealed days, and the entries of those up to
-- $entries_until. A stale day has to wait for its rollup, which needs its states and brings its entries back.
SELECT project, day
FROM (
  SELECT project, day FROM message_states WHERE day <= $sealed_until
  UNION
  SELECT project, day FROM entries WHERE day <= least($entries_until, $sealed_until)
)
ANTI JOIN stale_days USING (project, day)
