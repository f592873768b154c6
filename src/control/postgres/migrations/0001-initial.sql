-- Times are in milliseconds since the Unix epoch, by the clock of this database.

-- The keys of page tokens and of the local issuer.
CREATE TABLE waybill.keys (name text PRIMARY KEY, text text NOT NULL);

-- Who does a piece of work. The fence rises with each holder.
CREATE TABLE waybill.leases (
  name text PRIMARY KEY,
  holder text NOT NULL,
  fence bigint NOT NULL,
  ends_at timestamptz NOT NULL
);

-- The changes of app-attestation configurations, numbered in the order in which they were committed.
CREATE TABLE waybill.config_changes (
  number bigint PRIMARY KEY,
  id uuid NOT NULL,
  time timestamptz NOT NULL,
  principal text NOT NULL,
  project bigint NOT NULL,
  app_id text NOT NULL,
  revision bigint NOT NULL,
  update_mask text NOT NULL,
  -- Durations; both columns are NULL for the default.
  ttl_seconds bigint,
  ttl_nanos integer,
  previous_ttl_seconds bigint,
  previous_ttl_nanos integer,
  UNIQUE (project, app_id, revision)
);

-- One row. Its lock lets changes of configurations commit one after the other.
CREATE TABLE waybill.config_counter (number bigint NOT NULL);
INSERT INTO waybill.config_counter VALUES (0);

-- What is known of the days of projects: those that had events or were published.
CREATE TABLE waybill.days (
  project bigint NOT NULL,
  day integer NOT NULL,              -- days since 1970-01-01, as counted in America/Los_Angeles
  changes bigint NOT NULL DEFAULT 0, -- number of changes by events
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

-- One row. Its lock lets publications commit one after the other.
CREATE TABLE waybill.publications (
  number bigint NOT NULL,  -- of the last publication
  fence bigint NOT NULL    -- highest fencing number of a run
);
INSERT INTO waybill.publications VALUES (0, 0);

-- Versions of runs. Unlike a number in a row, it needs no lock and never returns.
CREATE SEQUENCE waybill.versions;

-- One row. Admissions exclude days up to the first; the second follows when no earlier admission is left.
CREATE TABLE waybill.sealed_days (excluded_until integer, sealed_until integer);
INSERT INTO waybill.sealed_days VALUES (NULL, NULL);

-- Appends under way. A crash of the database loses them: they are then refused, and repeated.
CREATE UNLOGGED TABLE waybill.admissions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  excluded_until integer,          -- what it was told
  ends_at timestamptz NOT NULL
);
