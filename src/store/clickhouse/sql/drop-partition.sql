-- Removes a partition of a table, in the background.
ALTER TABLE {DATABASE}.{TABLE} {ON_CLUSTER} DROP PARTITION {PARTITION}
