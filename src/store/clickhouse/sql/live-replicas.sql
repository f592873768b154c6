-- Replicas that are available and accept inserts, with their shard's path. Rows are not grouped here, because
-- older engines would group them by replica if there is a single shard.
SELECT zookeeper_path, replica_name
FROM {ALL_REPLICAS}
WHERE database = {DATABASE_NAME} AND table = 'message_states' AND NOT is_readonly AND NOT is_session_expired
