-- The days of a project that have entries under a version.
SELECT DISTINCT day FROM {ENTRIES} WHERE project = {PROJECT} AND version = {VERSION} AND day IN ({DAYS})
