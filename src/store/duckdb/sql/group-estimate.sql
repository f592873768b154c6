-- Estimates the number of groups of entries, within about a fifth, without building the groups.
SELECT approx_count_distinct(hash({GROUP_DAY}, {GROUP_APP}, {GROUP_LABEL}))::DOUBLE
FROM entries
WHERE project = $project
  AND {APP}
  AND day <= $until
  AND {FILTER}
