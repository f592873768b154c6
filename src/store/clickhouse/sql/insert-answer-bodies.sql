INSERT INTO {ANSWER_BODIES} (project, day, app, digest, body)
