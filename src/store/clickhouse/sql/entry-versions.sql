-- Of each entry in a range of places, the version that was the last one at a moment.
SELECT day, app, label, max(fetched_at), argMax(original, fetched_at)
FROM {ENTRY_VERSIONS}
WHERE project = {PROJECT} AND {APP} AND {RANGE} AND fetched_at <= {AS_OF}
GROUP BY day, app, label
