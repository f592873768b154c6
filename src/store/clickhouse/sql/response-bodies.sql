-- Bodies of responses about an app. Bodies may be stored more than once.
SELECT digest, body
FROM {RESPONSE_BODIES}
WHERE project = {PROJECT} AND app = {APP_ID} AND day IN ({DAYS}) AND digest IN ({DIGESTS})
LIMIT 1 BY digest
