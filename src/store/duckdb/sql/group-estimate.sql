-- Estimates the number of groups of entries, within about a fifth, without building the groups.
SELECT approx_count_distinct(hash({group_day}, {group_app}, {group_label}))::DOUBLE
FROM entries
WHERE project = $project
  AND {app}
  AND day <= $until
  AND {filter}
