-- Estimates the number of groups, with an error of about 20 %, without building them.
SELECT approx_count_distinct(hash({GROUP_DAY}, {GROUP_APP}, {GROUP_LABEL}))::DOUBLE
FROM entries
WHERE project = $project
  AND {APP}
  AND day <= $until
  AND {FILTER}
