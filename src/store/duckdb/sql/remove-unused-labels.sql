-- Removes the labels of a project that no row has any more. Superseded ones may go before their day.
DELETE FROM labels
WHERE project = $project
  AND id NOT IN (
    SELECT (accepted >> 1) & 4294967295
    FROM (FROM partial_states UNION ALL BY NAME FROM message_states)
    WHERE project = $project AND accepted IS NOT NULL
  )
  AND name NOT IN (SELECT label FROM entries WHERE project = $project)
RETURNING name
