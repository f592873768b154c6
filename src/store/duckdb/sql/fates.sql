-- Third step of a merge: counts the messages that fare alike. STATES yields states with the number of messages that each
-- stands for: 1, or -1 for a state that is no longer.
INSERT INTO fates
SELECT
  day,
  app,
  label_of(accepted) AS label,
  accepted & 1 = 1 AS notification,
  outcome & 31 AS outcome,
  CASE WHEN accepted & 1 = 1 THEN proxy & 31 END AS proxy,
  seen,
  sum(messages) AS messages
FROM ({STATES})
WHERE accepted IS NOT NULL
GROUP BY ALL
HAVING sum(messages) <> 0;
