-- Amount of data by project and day.
SELECT
  project,
  day,
  coalesce(sum(states), 0) AS states,
  coalesce(sum(waiting_events), 0) AS waiting_events,
  coalesce(min(since), 0) AS waiting_since,
  count(counted) > 0 AS is_counted,
  coalesce(sum(entries), 0) AS entries
FROM (
  SELECT project, day, count(*) AS states FROM message_states GROUP BY ALL
  UNION ALL BY NAME
  SELECT project, day, sum(events) AS waiting_events, min(since) AS since FROM stale_days GROUP BY ALL
  UNION ALL BY NAME
  SELECT project, day, true AS counted FROM counted_days
  UNION ALL BY NAME
  SELECT project, day, count(*) AS entries FROM entries GROUP BY ALL
)
GROUP BY project, day
ORDER BY project, day
