-- A page of a project's entries, in list order.
WITH days AS (
  -- Days after the position, with the number of entries on newer days. Counting reads only a few columns.
  SELECT day, sum(count(*)) OVER (ORDER BY day DESC) - count(*) AS entries_before
  FROM entries
  WHERE project = $project AND day <= $until AND day < $after_day AND {FILTER}
  GROUP BY day
)
SELECT day, label, {COLUMNS}, name
FROM entries JOIN apps ON apps.id = entries.app
WHERE entries.project = $project
  AND day <= $until
  -- The page ends on the last day with fewer than $limit entries before it. Skips older days, which would be read
  -- in all columns and sorted.
  AND day >= coalesce((SELECT min(day) FROM days WHERE entries_before < $limit), $after_day)
  AND (
    day < $after_day
    OR (day = $after_day AND (name > $after_app OR (name = $after_app AND label > $after_label)))
  )
  AND {FILTER}
ORDER BY day DESC, name, label
LIMIT $limit
