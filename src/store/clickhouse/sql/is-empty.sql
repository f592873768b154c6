-- Zero if there are neither states nor entries.
SELECT count() FROM (SELECT day FROM {MESSAGE_STATES} LIMIT 1 UNION ALL SELECT day FROM {ENTRIES} LIMIT 1)
