-- Which of some answers have a body that an earlier answer of their day had too. An answer is stored after its body.
SELECT DISTINCT project, day, app, digest
FROM {ANSWERS}
WHERE project IN ({PROJECTS}) AND day IN ({DAYS}) AND (app, digest) IN ({BODIES})
