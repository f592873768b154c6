-- The originals of a page of entries, in list order: those of its entries, and others after these. {PUBLISHED} selects the
-- published versions, {AFTER} what comes after the position.
SELECT {COLUMNS}
FROM {ORIGINALS}
WHERE project = {PROJECT} AND {APP} AND {PUBLISHED} AND {AFTER} AND {FILTER}
ORDER BY {ORDER}
LIMIT {LIMIT}
