-- The projects with due days. A change of a day is due since it was stored, or since the day was listed.
SELECT project, count(*), min(CASE WHEN day = $until THEN greatest(first, $since) ELSE first END)
FROM (
  SELECT project, day, min(since) AS first, sum(events) AS events, count(*) AS appends
  FROM stale_days
  GROUP BY project, day
)
WHERE {DUE}
GROUP BY project;
