-- Step 3 of a merge: counts messages with the same fate. STATES are states with their weight: 1, or -1 for a
-- replaced state.
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
