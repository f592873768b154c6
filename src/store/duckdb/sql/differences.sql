-- Days of a project with entries that differ from the message states, each with its first different entry. Fates
-- count each message as -1, so that the sums of entries and messages are 0. {DIFFERS} is true for other sums.
WITH {SUMMED}
SELECT
  day,
  count(*) AS entries,
  arg_min({'app': coalesce(apps.name, '?'), 'label': label}, (apps.name, label)) AS first
FROM summed LEFT JOIN apps ON apps.id = summed.app
WHERE {DIFFERS}
GROUP BY day
ORDER BY day;
