-- The last version at or before $as_of for each position from ($from_day, $from_app, $from_label) to ($to_day,
-- $to_app, $to_label), in list order.
SELECT day, name, label, max(fetched_at)::DOUBLE, arg_max(original_form, fetched_at), arg_max_null(original_figures, fetched_at)
FROM entry_versions JOIN apps ON apps.id = entry_versions.app
WHERE entry_versions.project = $project
  AND {APP}
  AND fetched_at <= $as_of
  AND day BETWEEN $to_day AND $from_day
  AND (day < $from_day OR (name, label) >= ($from_app, $from_label))
  AND (day > $to_day OR (name, label) <= ($to_app, $to_label))
GROUP BY day, name, label
