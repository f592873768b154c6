-- The lowest version that each day has entries of.
SELECT project, day, min(version) FROM {ENTRIES} GROUP BY project, day
