-- A page of the entries of all apps of a project, in the order of the list. The store puts in the columns and the filter.
WITH days AS (
  -- The days behind the position, and how many entries come before each of them. Counting them reads few columns.
  SELECT day, sum(count(*)) OVER (ORDER BY day DESC) - count(*) AS entries_before
  FROM entries
  WHERE project = $project AND day <= $until AND day < $after_day AND {filter}
  GROUP BY day
)
SELECT day, label, {columns}, name
FROM entries JOIN apps ON apps.id = entries.app
WHERE entries.project = $project
  AND day <= $until
  -- The page ends on the last day before which it is not full, so no other days are read in all columns and sorted.
  AND day >= coalesce((SELECT min(day) FROM days WHERE entries_before < $limit), $after_day)
  AND (
    day < $after_day
    OR (day = $after_day AND (name > $after_app OR (name = $after_app AND label > $after_label)))
  )
  AND {filter}
ORDER BY day DESC, name, label
LIMIT $limit
