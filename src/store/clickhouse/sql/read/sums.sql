-- Sums of entries. Without dimensions, there would be a row even if no entry matches.
SELECT {COLUMNS}
FROM {ENTRIES}
WHERE project = {PROJECT} AND {APP} AND {PUBLISHED} AND {FILTER}
{GROUP_BY}
HAVING count() > 0
{ORDER_BY}
LIMIT {LIMIT}
