INSERT INTO {ANSWERS} (project, day, app, fetched_at, url, digest)
