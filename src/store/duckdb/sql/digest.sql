-- A digest of the counts of an app by day and label, in any order. The store fills in the columns.
SELECT concat_ws('-', count(*), bit_xor(hash(day, label, {COLUMNS})))
FROM entries
WHERE project = $project
  AND app = (SELECT id FROM apps WHERE project = $project AND name = $name)
  AND day BETWEEN $since AND $until
