-- About how many groups of entries there are, give or take a fifth, without keeping any of them.
SELECT approx_count_distinct(hash({group_day}, {group_label}))::DOUBLE
FROM entries
WHERE project = $project
  AND {app}
  AND day <= $until
  AND {filter}
