-- The tables of all shards. A message lives on one shard, as does a label of an app.
CREATE TABLE IF NOT EXISTS {DATABASE}.all_message_states {ON_CLUSTER} AS {DATABASE}.message_states
ENGINE = Distributed({CLUSTER}, {DATABASE}, message_states, key_low);

CREATE TABLE IF NOT EXISTS {DATABASE}.all_fates {ON_CLUSTER} AS {DATABASE}.fates
ENGINE = Distributed({CLUSTER}, {DATABASE}, fates);

CREATE TABLE IF NOT EXISTS {DATABASE}.all_entries {ON_CLUSTER} AS {DATABASE}.entries
ENGINE = Distributed({CLUSTER}, {DATABASE}, entries, cityHash64(app, label));
