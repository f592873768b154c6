-- The days of a project that match a condition and have rows in a table.
SELECT DISTINCT day FROM {DATABASE}.{ALL}{TABLE} WHERE project = {PROJECT} AND {CONDITION}
