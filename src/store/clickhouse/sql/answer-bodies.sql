-- Bodies of answers about an app; those that were stored again come several times.
SELECT digest, body
FROM {ANSWER_BODIES}
WHERE project = {PROJECT} AND app = {APP_ID} AND day IN ({DAYS}) AND digest IN ({DIGESTS})
LIMIT 1 BY digest
