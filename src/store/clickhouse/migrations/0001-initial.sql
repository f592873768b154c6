-- Partial message states: summaries of a message's events on one day, for the rollup. The engine merges them. Every
-- column is a minimum or a bitwise OR, so that order and repetition of events do not matter.
CREATE TABLE IF NOT EXISTS {DATABASE}.message_states {ON_CLUSTER} (
  project UInt64,    -- project number
  day Int32,         -- days since 1970-01-01, as counted in America/Los_Angeles
  app String,
  key_high UInt64,   -- 128-bit digest of app id and message id
  key_low UInt64,
  accepted AggregateFunction(min, String),   -- of an ACCEPTED event: milliseconds since the day began in 4 bytes, the label, a zero
                                             -- byte, and 1 or 0 for the notification. Bytes in this order sort like the values
  outcome AggregateFunction(min, UInt32),    -- rank of an outcome: 32 * milliseconds since the day began + event type number
  proxy AggregateFunction(min, UInt32),      -- rank of a proxy result, in the same form
  seen AggregateFunction(groupBitOr, UInt32) -- event types that occurred, as a bit set by type number
)
ENGINE = {ENGINE_OF_MESSAGE_STATES}
-- Retention drops all states of a project and day together.
PARTITION BY (project, day)
-- A key determines its app.
ORDER BY (project, day, key_high, key_low, app);

-- Outcomes of all messages that count. The outcome 0 stands for none, because no event type has this number. The
-- same applies to proxy results, which exist only for notifications.
CREATE VIEW IF NOT EXISTS {DATABASE}.fates {ON_CLUSTER} AS
SELECT
  project,
  day,
  app_of_message AS app,
  substring(least_accepted, 5, length(least_accepted) - 6) AS label,
  endsWith(least_accepted, '1') AS notification,
  bitAnd(least_outcome, 31) AS outcome,
  if(endsWith(least_accepted, '1'), bitAnd(least_proxy, 31), 0) AS proxy,
  all_seen AS seen
FROM (
  SELECT
    project,
    day,
    key_high,
    key_low,
    any(app) AS app_of_message,
    minMerge(accepted) AS least_accepted,
    minMerge(outcome) AS least_outcome,
    minMerge(proxy) AS least_proxy,
    groupBitOrMerge(seen) AS all_seen
  FROM {DATABASE}.message_states
  GROUP BY project, day, key_high, key_low
)
WHERE least_accepted != '';

-- Delivery data as counts, from which percentages are derived. Readers use only the published version of a day.
-- Mirrored entries also have their text upstream (an AndroidDeliveryData in JSON) and its fetch time: when a
-- response first contained this text, in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS {DATABASE}.entries {ON_CLUSTER} (
  {ENTRY_COLUMNS}
)
ENGINE = {ENGINE_OF_ENTRIES}
PARTITION BY intDiv(day, 32)
ORDER BY (project, app, day, label, version)
-- An original has a few hundred bytes, and a page contains a thousand of them.
SETTINGS index_granularity = 1024;

-- Previous versions of mirrored entries. Duplicate rows are identical.
CREATE TABLE IF NOT EXISTS {DATABASE}.entry_versions {ON_CLUSTER} (
  project UInt64,
  day Int32,
  app String,
  label String,
  fetched_at UInt64,
  original String
)
ENGINE = {ENGINE_OF_ENTRY_VERSIONS}
-- Retention drops all versions of a project and day together.
PARTITION BY (project, day)
ORDER BY (project, day, app, label, fetched_at)
SETTINGS index_granularity = 1024;

-- Upstream responses, without their bodies. Duplicate rows are identical.
CREATE TABLE IF NOT EXISTS {DATABASE}.responses {ON_CLUSTER} (
  project UInt64,
  day Int32,          -- of fetched_at
  app String,
  fetched_at UInt64,
  url String,
  digest String       -- SHA-256 of the body, in base64url
)
ENGINE = {ENGINE_OF_RESPONSES}
PARTITION BY (project, day)
ORDER BY (project, day, app, fetched_at, url, digest);

-- Response bodies, once per day and app. Retention drops whole days while responses of other days arrive.
CREATE TABLE IF NOT EXISTS {DATABASE}.response_bodies {ON_CLUSTER} (
  project UInt64,
  day Int32,
  app String,
  digest String,
  body String         -- compressed by gzip
)
ENGINE = {ENGINE_OF_RESPONSE_BODIES}
PARTITION BY (project, day)
ORDER BY (project, day, app, digest)
-- A row may have a megabyte.
SETTINGS index_granularity = 4;
