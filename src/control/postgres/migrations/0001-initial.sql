-- Times are in milliseconds since the Unix epoch, by the clock of this database.

-- Who does a piece of work. The fence rises with each holder.
CREATE TABLE waybill.leases (
  name text PRIMARY KEY,
  holder text NOT NULL,
  fence bigint NOT NULL,
  ends_at timestamptz NOT NULL
);

-- Control data: small JSON documents.
CREATE TABLE waybill.records (
  kind text NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text,               -- JSON; NULL if the record was deleted and its kind is followed
  revision bigint NOT NULL,
  is_followed boolean NOT NULL,
  expire_time bigint,
  PRIMARY KEY (kind, key)
);
CREATE INDEX records_followed ON waybill.records (kind, revision) WHERE is_followed;
CREATE INDEX records_expiring ON waybill.records (expire_time) WHERE expire_time IS NOT NULL;

-- The changes of audited kinds.
CREATE TABLE waybill.record_history (
  revision bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  time bigint NOT NULL,
  value text,
  previous text,
  note text,
  PRIMARY KEY (revision, kind, key)
);
CREATE INDEX history_of_records ON waybill.record_history (kind, key, revision);
CREATE INDEX history_of_scopes ON waybill.record_history (left(key, strpos(key, '/')), revision, kind, key);
CREATE INDEX history_by_time ON waybill.record_history (time, revision);

-- For each followed kind, the highest revision of deleted records without traces.
CREATE TABLE waybill.forgotten_records (kind text PRIMARY KEY, revision bigint NOT NULL);

-- The latest revisions of followed kinds. They follow the clock, with a random part: a database that has lost commits uses none of
-- them again, and a process that has seen a lost one notices.
CREATE TABLE waybill.record_revisions (revision bigint PRIMARY KEY);

-- Makes changes of records, all or none, and returns their revision; NULL if a record is not at the required one. Each change is an
-- object: kind, key, value, ifRevision, expireTime, note, isFollowed, isAudited, isSecret.
CREATE FUNCTION waybill.change_records(given jsonb, now bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  number bigint := floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  missing bigint;
BEGIN
  -- A clock far ahead must not use up the integers below 2^53.
  number := least(number, 4000000000000) * 1024 + floor(random() * 1024)::bigint;
  IF EXISTS (SELECT FROM jsonb_to_recordset(given) AS c ("isFollowed" boolean) WHERE "isFollowed") THEN
    -- Held until the commit: who has seen a revision has seen all before it.
    PERFORM pg_advisory_xact_lock(7723895462);
    number := greatest(number, (SELECT max(revision) + 1 FROM waybill.record_revisions));
    INSERT INTO waybill.record_revisions VALUES (number);
    DELETE FROM waybill.record_revisions
    WHERE revision <= (SELECT revision FROM waybill.record_revisions ORDER BY revision DESC OFFSET 1000 LIMIT 1);
  END IF;

  -- Locks rows in key order, so that two calls never wait for each other.
  PERFORM FROM waybill.records AS r
  JOIN jsonb_to_recordset(given) AS c (kind text, key text) ON c.kind = r.kind AND c.key = r.key
  ORDER BY r.kind, r.key
  FOR UPDATE OF r;
  IF EXISTS (
    SELECT FROM jsonb_to_recordset(given) AS c (kind text, key text, "ifRevision" bigint)
    LEFT JOIN waybill.records AS r
      ON r.kind = c.kind AND r.key = c.key AND r.value IS NOT NULL AND (r.expire_time > now) IS NOT FALSE
    WHERE c."ifRevision" <> coalesce(r.revision, 0)
  ) THEN
    RETURN NULL;
  END IF;

  number := greatest(number, (
    SELECT max(r.revision) + 1 FROM waybill.records AS r
    JOIN jsonb_to_recordset(given) AS c (kind text, key text) ON c.kind = r.kind AND c.key = r.key
  ));
  INSERT INTO waybill.record_history (revision, kind, key, time, value, previous, note)
  SELECT number, c.kind, c.key, now,
    CASE WHEN c."isSecret" AND c.value IS NOT NULL THEN 'null' ELSE c.value END,
    CASE WHEN c."isSecret" AND r.value IS NOT NULL THEN 'null' ELSE r.value END,
    c.note
  FROM jsonb_to_recordset(given)
    AS c (kind text, key text, value text, note text, "isAudited" boolean, "isSecret" boolean)
  LEFT JOIN waybill.records AS r ON r.kind = c.kind AND r.key = c.key AND (r.expire_time > now) IS NOT FALSE
  WHERE c."isAudited";

  DELETE FROM waybill.records AS r
  USING jsonb_to_recordset(given) AS c (kind text, key text, value text, "isFollowed" boolean, "ifRevision" bigint)
  WHERE r.kind = c.kind AND r.key = c.key AND c.value IS NULL AND NOT c."isFollowed"
    AND coalesce(c."ifRevision" = r.revision, true);
  UPDATE waybill.records AS r SET value = c.value, revision = number, expire_time = c."expireTime"
  FROM jsonb_to_recordset(given) AS c (kind text, key text, value text, "expireTime" bigint, "ifRevision" bigint)
  WHERE r.kind = c.kind AND r.key = c.key
    -- Another call may have made the record since it was looked for.
    AND (coalesce(c."ifRevision" = r.revision, true) OR r.value IS NULL OR r.expire_time <= now);
  WITH added AS (
    SELECT c.* FROM jsonb_to_recordset(given)
      AS c (kind text, key text, value text, "isFollowed" boolean, "expireTime" bigint)
    WHERE (c.value IS NOT NULL OR c."isFollowed")
      AND NOT EXISTS (SELECT FROM waybill.records AS r WHERE r.kind = c.kind AND r.key = c.key AND r.revision = number)
    ORDER BY c.kind, c.key
  ), inserted AS (
    INSERT INTO waybill.records (kind, key, value, revision, is_followed, expire_time)
    SELECT kind, key, value, number, "isFollowed", "expireTime" FROM added
    ON CONFLICT DO NOTHING
    RETURNING kind
  )
  SELECT (SELECT count(*) FROM added) - (SELECT count(*) FROM inserted) INTO missing;
  IF missing > 0 THEN
    RAISE EXCEPTION 'another call has made a record meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;

  DELETE FROM waybill.records AS r
  USING (
    SELECT kind, key FROM waybill.records WHERE expire_time <= now LIMIT 20 FOR UPDATE SKIP LOCKED
  ) AS expired
  WHERE r.kind = expired.kind AND r.key = expired.key;
  PERFORM pg_notify('waybill', c.kind)
  FROM jsonb_to_recordset(given) AS c (kind text, "isFollowed" boolean)
  WHERE "isFollowed" GROUP BY c.kind;
  RETURN number;
END
$$;

-- Days of projects that had events or were published.
CREATE TABLE waybill.days (
  project bigint NOT NULL,
  day integer NOT NULL,              -- days since 1970-01-01, as counted in America/Los_Angeles
  changes bigint NOT NULL DEFAULT 0, -- number of the last change by events; follows the clock, with a random part
  events bigint NOT NULL DEFAULT 0,  -- number of events that came with them
  rolled_up bigint,                  -- changes that the last rollup has seen; NULL without a rollup
  rolled_up_events bigint,
  since bigint NOT NULL DEFAULT 0,   -- time of the oldest change that no rollup has seen
  has_states boolean NOT NULL DEFAULT false, -- the store engine has states of the day's messages
  is_closed boolean NOT NULL DEFAULT false,  -- the states may be gone: no rollup is published any more
  version bigint NOT NULL DEFAULT 0, -- under which the published entries are stored; 0 if nothing was published
  is_empty boolean NOT NULL DEFAULT true,    -- published without entries
  publication bigint NOT NULL DEFAULT 0,     -- number of the publication, in the order of commits
  published_at bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project, day)
);
CREATE INDEX days_published ON waybill.days (publication) WHERE publication > 0;
CREATE INDEX days_stale ON waybill.days (project, day) WHERE changes > coalesce(rolled_up, 0);

-- One row. Its lock lets publications commit one after the other. A database that loses commits, by a failover or a restore, must
-- not use their numbers again. Versions of runs and numbers of publications therefore follow the clock, with a random part, and
-- a process that has seen a lost number notices.
CREATE TABLE waybill.publications (
  number bigint NOT NULL,                -- of the last publication or version
  fences jsonb NOT NULL DEFAULT '{}',    -- highest fencing number of each lease under which runs have begun, by its name
  recent bigint[] NOT NULL DEFAULT '{}'  -- numbers before the last one, newest first
);
INSERT INTO waybill.publications VALUES (0);

-- One row. Admissions exclude days up to the first; the second follows when no earlier admission is left.
CREATE TABLE waybill.sealed_days (excluded_until integer, sealed_until integer);
INSERT INTO waybill.sealed_days VALUES (NULL, NULL);

-- Appends in progress. If the database crashes, they are lost. They are then rejected, and repeated.
CREATE UNLOGGED TABLE waybill.admissions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  excluded_until integer,          -- sealed_days.excluded_until when it began
  ends_at timestamptz NOT NULL
);

-- The apps and labels of the events of projects, each with the last day of its events: it counts until that day is removed.
CREATE TABLE waybill.names (
  project bigint NOT NULL,
  kind text NOT NULL,      -- 'apps' or 'labels'
  name text NOT NULL,
  last_day integer NOT NULL,
  PRIMARY KEY (project, kind, name)
);

-- The copy from the embedded store that fills this database and that of the store: one row at most.
CREATE TABLE waybill.copy (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  source text NOT NULL,  -- digest of the copied data
  is_complete boolean NOT NULL DEFAULT false
);
