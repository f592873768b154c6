-- Digest of an app's counts by day and label, independent of their order.
SELECT concat_ws('-', count(*), bit_xor(hash(day, label, {COLUMNS})))
FROM entries
WHERE project = $project
  AND app = $app
  AND day BETWEEN $since AND $until
