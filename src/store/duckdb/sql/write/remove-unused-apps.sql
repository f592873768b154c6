-- Removes a project's apps that no row refers to.
DELETE FROM apps
WHERE project = $project
  AND id NOT IN (
    SELECT app FROM message_states WHERE project = $project
    UNION ALL SELECT app FROM entries WHERE project = $project
    UNION ALL SELECT app FROM entry_versions WHERE project = $project
    UNION ALL SELECT app FROM responses WHERE project = $project
    UNION ALL SELECT app FROM response_bodies WHERE project = $project
  )
RETURNING name
