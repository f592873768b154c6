-- Times are in milliseconds since the Unix epoch.
CREATE TABLE records (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT,                 -- JSON; NULL if the record was deleted and its kind is followed
  revision INTEGER NOT NULL,
  is_followed INTEGER NOT NULL,
  expire_time INTEGER,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID, STRICT;
CREATE INDEX followed_records ON records (kind, revision) WHERE is_followed;
CREATE INDEX expiring_records ON records (expire_time) WHERE expire_time IS NOT NULL;

CREATE TABLE history (
  revision INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  time INTEGER NOT NULL,
  value TEXT,
  previous TEXT,
  note TEXT,
  PRIMARY KEY (revision, kind, key)
) WITHOUT ROWID, STRICT;
CREATE INDEX history_of_records ON history (kind, key, revision);
CREATE INDEX history_of_scopes ON history (substr(key, 1, instr(key, '/')), revision, kind, key, time);
CREATE INDEX history_by_time ON history (time);

-- For each followed kind, the highest revision of deleted records without traces.
CREATE TABLE forgotten (kind TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID, STRICT;

-- One row: the last revision.
CREATE TABLE counter (revision INTEGER NOT NULL) STRICT;
INSERT INTO counter VALUES (0);
