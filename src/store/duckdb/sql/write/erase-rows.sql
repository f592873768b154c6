-- Erases up to $limit rows of a project.
DELETE FROM {TABLE}
WHERE project = $project AND rowid IN (SELECT rowid FROM {TABLE} WHERE project = $project LIMIT $limit)
