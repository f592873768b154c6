-- Days with expired data: message states of sealed days, and entries of sealed days up to $entries_until. Stale
-- days wait for their rollup, because it needs their states and would restore their entries.
SELECT project, day
FROM (
  SELECT project, day FROM message_states WHERE day <= $sealed_until
  UNION
  SELECT project, day FROM entries WHERE day <= least($entries_until, $sealed_until)
)
ANTI JOIN stale_days USING (project, day)
