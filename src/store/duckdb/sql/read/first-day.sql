-- Skips days before the last day on the page: the last day with fewer than $limit entries on newer days. Counting reads
-- only a few columns. The engine would otherwise read and sort all days in all columns.
day >= coalesce(
  (
    SELECT min(day)
    FROM (
      SELECT day, sum(count(*)) OVER (ORDER BY day DESC) - count(*) AS entries_before
      FROM entries
      WHERE project = $project AND app = $app AND day <= $until AND day < $after_day AND {FILTER}
      GROUP BY day
    )
    WHERE entries_before < $limit
  ),
  $after_day
)
