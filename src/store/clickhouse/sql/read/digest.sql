-- Digest of an app's counts by day and label, independent of their order.
SELECT concat(toString(count()), '-', toString(groupBitXor(cityHash64(day, label, {COLUMNS}))))
FROM {ENTRIES}
WHERE project = {PROJECT} AND {APP} AND {PUBLISHED}
