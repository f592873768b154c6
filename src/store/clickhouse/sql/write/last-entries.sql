-- Inserts entries of no project into all partitions with entries of a project, on all shards.
INSERT INTO {ENTRIES} (project, day, app, label, version)
SELECT 0, first_day, toString(number), '', 0
FROM (SELECT DISTINCT intDiv(day, 32) * 32 AS first_day FROM {ENTRIES} WHERE project = {PROJECT} LIMIT 100)
ARRAY JOIN range(64) AS number
