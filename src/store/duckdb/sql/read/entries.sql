-- A page of the entries of one app, in list order.
WITH days AS (
  -- Days after the position, with the number of entries on newer days. Counting reads only a few columns.
  SELECT day, sum(count(*)) OVER (ORDER BY day DESC) - count(*) AS entries_before
  FROM entries
  WHERE project = $project
    AND app = (SELECT id FROM apps WHERE project = $project AND name = $name)
    AND day <= $until
    AND day < $after_day
    AND {FILTER}
  GROUP BY day
)
SELECT day, label, {COLUMNS}
FROM entries
WHERE project = $project
  AND app = (SELECT id FROM apps WHERE project = $project AND name = $name)
  AND day <= $until
  -- The page ends on the last day with fewer than $limit entries before it. Skips older days, which would be read
  -- in all columns, including texts.
  AND day >= coalesce((SELECT min(day) FROM days WHERE entries_before < $limit), $after_day)
  AND (day < $after_day OR (day = $after_day AND label > $after_label))
  AND {FILTER}
ORDER BY day DESC, label
LIMIT $limit
