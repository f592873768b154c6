-- A page of entries, in list order. {PUBLISHED} selects published versions, {AFTER} entries after the position.
SELECT {COLUMNS}
FROM {ENTRIES}
WHERE project = {PROJECT} AND {APP} AND {PUBLISHED} AND {AFTER} AND {FILTER}
ORDER BY {ORDER}
LIMIT {LIMIT}
