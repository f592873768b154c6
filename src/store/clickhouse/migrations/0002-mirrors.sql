-- Entries, versions and answers of mirrors. Tables of their own: older engines can neither add a column if it is missing nor
-- change the columns of tables of all shards.

-- Entries as that service gave them, each under the version of the row of `entries` with its counts.
CREATE TABLE IF NOT EXISTS {DATABASE}.originals {ON_CLUSTER} (
  project UInt64,
  day Int32,
  app String,
  label String,
  version UInt64,
  fetched_at UInt64,  -- milliseconds since 1970
  original String     -- an AndroidDeliveryData in JSON
)
ENGINE = {ENGINE_OF_ORIGINALS}
PARTITION BY intDiv(day, 32)
ORDER BY (project, app, day, label, version)
-- Rows of some hundred bytes, of which a page needs a thousand.
SETTINGS index_granularity = 1024;

-- Entries as they were until others replaced them. Repeated rows are the same.
CREATE TABLE IF NOT EXISTS {DATABASE}.entry_versions {ON_CLUSTER} (
  project UInt64,
  day Int32,
  app String,
  label String,
  fetched_at UInt64,
  original String
)
ENGINE = {ENGINE_OF_ENTRY_VERSIONS}
-- Retention drops those of a day of a project as a whole.
PARTITION BY (project, day)
ORDER BY (project, day, app, label, fetched_at)
SETTINGS index_granularity = 1024;

-- Answers of that service, whose bodies are below. Repeated rows are the same.
CREATE TABLE IF NOT EXISTS {DATABASE}.answers {ON_CLUSTER} (
  project UInt64,
  day Int32,          -- of fetched_at
  app String,
  fetched_at UInt64,
  url String,
  digest String       -- SHA-256 of the body, in base64url
)
ENGINE = {ENGINE_OF_ANSWERS}
PARTITION BY (project, day)
ORDER BY (project, day, app, fetched_at, url, digest);

-- Bodies of answers, each once on a day about an app: retention drops those of a day while answers of other days arrive.
CREATE TABLE IF NOT EXISTS {DATABASE}.answer_bodies {ON_CLUSTER} (
  project UInt64,
  day Int32,
  app String,
  digest String,
  body String         -- compressed by gzip
)
ENGINE = {ENGINE_OF_ANSWER_BODIES}
PARTITION BY (project, day)
ORDER BY (project, day, app, digest)
-- A row may have a megabyte.
SETTINGS index_granularity = 4;
