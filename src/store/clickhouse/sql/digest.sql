-- A digest of the counts of an app by day and label, in any order.
SELECT concat(toString(count()), '-', toString(groupBitXor(cityHash64(day, label, {COLUMNS}))))
FROM {ENTRIES}
WHERE project = {PROJECT} AND {APP} AND {PUBLISHED}
