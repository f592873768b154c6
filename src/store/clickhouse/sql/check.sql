-- Asks every shard.
SELECT count() FROM {ENTRIES} WHERE project = 0
