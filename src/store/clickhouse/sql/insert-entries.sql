INSERT INTO {ENTRIES} (project, day, app, label, version, {COUNTS})
