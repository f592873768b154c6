INSERT INTO {ORIGINALS} (project, day, app, label, version, fetched_at, original)
