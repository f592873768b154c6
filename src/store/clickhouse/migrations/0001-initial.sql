-- What the rollup needs to know of the events of a message on a day, in parts that the engine merges: each event is a row.
-- Every column is a minimum or a bitwise OR, for which order and repetition do not matter.
CREATE TABLE IF NOT EXISTS {DATABASE}.message_states {ON_CLUSTER} (
  project UInt64,    -- project number
  day Int32,         -- days since 1970-01-01, as counted in America/Los_Angeles
  app String,
  key_high UInt64,   -- 128-bit digest of app id and message id
  key_low UInt64,
  accepted AggregateFunction(min, String),   -- of an ACCEPTED: milliseconds since the day began in 4 bytes, the label, a zero byte,
                                             -- and 1 with a notification, else 0: in this order, the bytes sort like the values
  outcome AggregateFunction(min, UInt32),    -- of an outcome: 32 * milliseconds since the day began + number of the event type
  proxy AggregateFunction(min, UInt32),      -- of a proxy result: likewise
  seen AggregateFunction(groupBitOr, UInt32) -- a bit for each type of event, by its number
)
ENGINE = {ENGINE_OF_MESSAGE_STATES}
-- Retention drops the states of a day of a project as a whole.
PARTITION BY (project, day)
-- The app follows from the key.
ORDER BY (project, day, key_high, key_low, app);

-- How the messages fared that count. A message without an outcome has the outcome 0, which is no event type; likewise the proxy
-- results, which only notifications have.
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

-- Delivery data: counts, from which the percentages follow. Those of a day count only under its published version.
-- Mirrored entries also have the time of the first response that had them, in milliseconds since 1970, and their text in it, an
-- AndroidDeliveryData in JSON.
CREATE TABLE IF NOT EXISTS {DATABASE}.entries {ON_CLUSTER} (
  {ENTRY_COLUMNS}
)
ENGINE = {ENGINE_OF_ENTRIES}
PARTITION BY intDiv(day, 32)
ORDER BY (project, app, day, label, version)
-- An original has some hundred bytes, and a page needs a thousand.
SETTINGS index_granularity = 1024;

-- Mirrored entries as they were until others replaced them. Repeated rows are the same.
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

-- Responses of upstream, with their bodies below. Repeated rows are the same.
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

-- Bodies of responses, each once on a day about an app: retention drops those of a day while responses of other days arrive.
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
