-- For each position in a range, the last entry version at or before a moment.
SELECT day, app, label, max(fetched_at), argMax(original, fetched_at)
FROM {ENTRY_VERSIONS}
WHERE project = {PROJECT} AND {APP} AND {RANGE} AND fetched_at <= {AS_OF}
GROUP BY day, app, label
