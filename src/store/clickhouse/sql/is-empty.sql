-- Zero if there are no states or entries, and a mirror keeps nothing.
SELECT count() FROM (
  SELECT day FROM {MESSAGE_STATES} LIMIT 1
  UNION ALL SELECT day FROM {ENTRIES} LIMIT 1
  UNION ALL SELECT day FROM {ENTRY_VERSIONS} LIMIT 1
  UNION ALL SELECT day FROM {ANSWERS} LIMIT 1
)
