-- Lists the replicas that answer and take inserts. A path is that of a shard. Rows are not grouped here: with a single
-- shard, older engines would group those of each replica alone.
SELECT zookeeper_path, replica_name
FROM {ALL_REPLICAS}
WHERE database = {DATABASE_NAME} AND table = 'message_states' AND NOT is_readonly AND NOT is_session_expired
