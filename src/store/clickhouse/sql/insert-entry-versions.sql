INSERT INTO {ENTRY_VERSIONS} (project, day, app, label, fetched_at, original)
