-- The tables of all shards. An original lives beside its entry, a body beside its answers.
CREATE TABLE IF NOT EXISTS {DATABASE}.all_originals {ON_CLUSTER} AS {DATABASE}.originals
ENGINE = Distributed({CLUSTER}, {DATABASE}, originals, cityHash64(app, label));

CREATE TABLE IF NOT EXISTS {DATABASE}.all_entry_versions {ON_CLUSTER} AS {DATABASE}.entry_versions
ENGINE = Distributed({CLUSTER}, {DATABASE}, entry_versions, cityHash64(app, label));

CREATE TABLE IF NOT EXISTS {DATABASE}.all_answers {ON_CLUSTER} AS {DATABASE}.answers
ENGINE = Distributed({CLUSTER}, {DATABASE}, answers, cityHash64(app));

CREATE TABLE IF NOT EXISTS {DATABASE}.all_answer_bodies {ON_CLUSTER} AS {DATABASE}.answer_bodies
ENGINE = Distributed({CLUSTER}, {DATABASE}, answer_bodies, cityHash64(app));
