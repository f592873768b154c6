-- The lowest version that each day has rows of in a table of entries.
SELECT project, day, min(version) FROM {DATABASE}.{ALL}{TABLE} GROUP BY project, day
