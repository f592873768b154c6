import { withDuckDb } from "../../test/support/data/duckdb.js";
import { CREATE_EVENTS, READ_EVENTS } from "../support/data/read-json.js";
import { respondToQuestions } from "../support/process.js";
import type { LoadQuestion } from "./duckdb-import.js";

/** Results of a day that is computed with plain SQL. */
export interface DayByHand {
  /** Time from the file to the entries, in milliseconds. */
  readonly took: number;
  /** Accepted messages of all entries. */
  readonly accepted: number;
}

const OUTCOMES = [
  "DELIVERED",
  "COLLAPSED",
  "DROPPED_TOO_MANY_PENDING_MESSAGES",
  "DROPPED_APP_FORCE_STOPPED",
  "DROPPED_DEVICE_INACTIVE",
  "DROPPED_TTL_EXPIRED",
];
const DELAYS = [
  "DELAYED_DEVICE_OFFLINE",
  "DELAYED_DEVICE_DOZE",
  "DELAYED_MESSAGE_THROTTLED",
  "DELAYED_USER_STOPPED",
];
const PROXY = [
  "PROXY_PROXIED",
  "PROXY_FAILED",
  "PROXY_SKIPPED_UNSUPPORTED",
  "PROXY_SKIPPED_NOT_THROTTLED",
  "PROXY_SKIPPED_UNCONFIGURED",
  "PROXY_SKIPPED_OPTED_OUT",
];
const quoted = (types: readonly string[]): string => types.map((type) => `'${type}'`).join(", ");
const counts = (types: readonly string[], condition: (type: string) => string): string =>
  types.map((type) => `count(*) FILTER (${condition(type)}) AS ${type.toLowerCase()}`).join(", ");

/** A single statement that computes a day's entries, as a DuckDB user would write it. */
const ENTRIES = `
  CREATE TABLE entries AS
  WITH messages AS (
    SELECT
      appId,
      arg_min({'label': analyticsLabel, 'notification': notification}, eventTime)
        FILTER (eventType = 'ACCEPTED' AND usageReportingOptIn) AS accepted,
      arg_min(eventType, eventTime) FILTER (eventType IN (${quoted(OUTCOMES)})) AS outcome,
      arg_min(eventType, eventTime) FILTER (eventType IN (${quoted(PROXY)})) AS proxy,
      bool_or(eventType = 'STORED') AS stored,
      bool_or(eventType = 'PRIORITY_LOWERED') AS lowered,
      ${DELAYS.map((type) => `bool_or(eventType = '${type}') AS ${type.toLowerCase()}`).join(", ")}
    FROM events
    GROUP BY appId, messageId
  )
  SELECT
    appId,
    coalesce(accepted.label, '') AS label,
    count(*) AS accepted,
    count(*) FILTER (accepted.notification) AS notifications,
    count(*) FILTER (outcome IS NULL AND (stored OR delayed_device_offline)) AS pending,
    ${counts(OUTCOMES, (type) => `outcome = '${type}'`)},
    ${counts(DELAYS, (type) => `outcome = 'DELIVERED' AND ${type.toLowerCase()}`)},
    count(*) FILTER (outcome = 'DELIVERED' AND NOT (${DELAYS.join(" OR ").toLowerCase()})) AS no_delay,
    count(*) FILTER (lowered) AS priority_lowered,
    ${counts(PROXY, (type) => `accepted.notification AND proxy = '${type}'`)}
  FROM messages
  WHERE accepted IS NOT NULL
  GROUP BY ALL`;

respondToQuestions(({ events, database }: LoadQuestion) =>
  withDuckDb(database, async (connection): Promise<DayByHand> => {
    await connection.run(CREATE_EVENTS);
    const start = performance.now();
    await connection.run(`INSERT INTO events SELECT * FROM ${READ_EVENTS}`, { file: events });
    await connection.run(ENTRIES);
    const took = performance.now() - start;
    const result = await connection.runAndReadAll("SELECT sum(accepted) FROM entries");
    return { took, accepted: Number(result.getRows()[0]?.[0]) };
  }),
);
