INSERT INTO {MESSAGE_STATES} (project, day, app, key_high, key_low, accepted, outcome, proxy, seen)
