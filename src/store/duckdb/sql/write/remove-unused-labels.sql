-- Removes a project's labels that no row refers to.
DELETE FROM labels
WHERE project = $project
  AND id NOT IN (
    SELECT (accepted >> 1) & 4294967295
    FROM message_states
    WHERE project = $project AND accepted IS NOT NULL
  )
  AND name NOT IN (SELECT label FROM entries WHERE project = $project)
RETURNING name
