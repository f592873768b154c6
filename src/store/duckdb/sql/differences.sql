-- The days of a project whose entries are not what its states yield, with the first of these entries. The fates count
-- each state as -1; the sums of entries and states are then 0. {DIFFERS} is true for sums that are not.
WITH {SUMMED}
SELECT
  day,
  count(*) AS entries,
  arg_min({'app': coalesce(apps.name, '?'), 'label': label}, (apps.name, label)) AS first
FROM summed LEFT JOIN apps ON apps.id = summed.app
WHERE {DIFFERS}
GROUP BY day
ORDER BY day;
