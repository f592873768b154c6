-- Projects with due days. A change is due since it was stored, or since its day was listed if that was later.
SELECT project, count(*), min(CASE WHEN day = $until THEN greatest(first, $since) ELSE first END)
FROM (
  SELECT project, day, min(since) AS first, sum(events) AS events, count(*) AS appends
  FROM stale_days
  GROUP BY project, day
)
WHERE {DUE}
GROUP BY project;
