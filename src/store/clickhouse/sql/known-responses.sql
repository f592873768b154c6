-- Keys of bodies that a response of the same day already has. Responses are stored after their bodies.
SELECT DISTINCT project, day, app, digest
FROM {RESPONSES}
WHERE project IN ({PROJECTS}) AND day IN ({DAYS}) AND (app, digest) IN ({BODIES})
