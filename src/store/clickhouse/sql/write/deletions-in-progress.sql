-- Number of deletions of a project's entries that are not done yet. Deletions of replaced versions have another condition. Engines
-- differ in parentheses.
SELECT count()
FROM {MUTATIONS}
WHERE database = {DATABASE_NAME} AND table = 'entries' AND is_done = 0
  AND match(command, '^[( ]*DELETE WHERE [( ]*project IN [(]0, {PROJECT}[) ]*$')
