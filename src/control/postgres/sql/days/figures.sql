SELECT
  coalesce(sum(greatest(events - coalesce(rolled_up_events, 0), 0)) FILTER (WHERE changes > coalesce(rolled_up, 0)), 0)
    AS waiting_events,
  count(*) FILTER (WHERE changes > coalesce(rolled_up, 0)) AS waiting_days,
  min(since) FILTER (WHERE changes > coalesce(rolled_up, 0)) AS waiting_since,
  count(*) FILTER (WHERE changes > 0 AND day <= (SELECT sealed_until FROM waybill.sealed_days)) AS sealed_days
FROM waybill.days
