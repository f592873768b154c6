import type { DuckDBConnection } from "@duckdb/node-api";
import { BEFORE_ALL_DAYS, type Day, LAST_DAY } from "../../../model/day.js";
import type {
  ExpiredDayQuery,
  ExpiredProject,
  ListedDays,
  StaleDayQuery,
  StaleProject,
} from "../../../model/due-days.js";
import { readSql } from "../sql.js";
import { lastSealedDay } from "../write/days.js";

/**
 * Number of new events or appends after which a day is rolled up before it is listed. The rollup at the time of listing
 * then lasts only a fraction of a second.
 */
const MAX_UNMERGED_EVENTS = 1_000_000;
const MAX_UNMERGED_APPENDS = 1_000;

const DUE = "day <= $until OR events >= $maxEvents OR appends >= $maxAppends";
const STALE_PROJECTS_SQL = readSql("read/stale-projects.sql", { DUE });
const STALE_DAYS_SQL = readSql("read/stale-days.sql", { DUE });

const EXPIRED = readSql("read/expired-days.sql");
const EXPIRED_PROJECTS_SQL = `SELECT project, count(*), min(day) FROM (${EXPIRED}) GROUP BY project`;
const EXPIRED_DAYS_SQL = `
  SELECT day FROM (${EXPIRED}) WHERE project = $project AND day > $after ORDER BY day LIMIT $limit`;

/** Treats all days as listed, so that all stale days are due. */
const ALL_DAYS: ListedDays = { until: LAST_DAY, since: 0 };

/** Reads the projects with days that are due for a rollup, by default all stale days. */
export async function readStaleProjects(
  connection: DuckDBConnection,
  listed: ListedDays = ALL_DAYS,
): Promise<readonly StaleProject[]> {
  const result = await connection.runAndReadAll(STALE_PROJECTS_SQL, {
    ...dueParameters(listed),
    since: BigInt(listed.since),
  });
  return result.getRows().map(([project, days, since]) => ({
    project: String(project),
    days: Number(days),
    since: Number(since),
  }));
}

/** Reads a project's days that are due for a rollup, newest first. */
export async function readStaleDays(
  connection: DuckDBConnection,
  { project, listed = ALL_DAYS, before = LAST_DAY + 1, limit }: StaleDayQuery,
): Promise<readonly Day[]> {
  const result = await connection.runAndReadAll(STALE_DAYS_SQL, {
    ...dueParameters(listed),
    project: BigInt(project),
    before,
    limit,
  });
  return result.getRows().map(([day]) => Number(day));
}

export async function readExpiredProjects(
  connection: DuckDBConnection,
  entriesUntil: Day,
): Promise<readonly ExpiredProject[]> {
  // If the day is a parameter and not a subquery, the engine can skip newer parts of the tables.
  const sealedUntil = await lastSealedDay(connection);
  const result = await connection.runAndReadAll(EXPIRED_PROJECTS_SQL, {
    sealed_until: sealedUntil,
    entries_until: entriesUntil,
  });
  return result.getRows().map(([project, days, oldest]) => ({
    project: String(project),
    days: Number(days),
    oldest: Number(oldest),
  }));
}

/** Reads a project's days with expired data, oldest first. */
export async function readExpiredDays(
  connection: DuckDBConnection,
  { project, entriesUntil = BEFORE_ALL_DAYS, after = BEFORE_ALL_DAYS, limit }: ExpiredDayQuery,
): Promise<readonly Day[]> {
  const result = await connection.runAndReadAll(EXPIRED_DAYS_SQL, {
    project: BigInt(project),
    sealed_until: await lastSealedDay(connection),
    entries_until: entriesUntil,
    after,
    limit,
  });
  return result.getRows().map(([day]) => Number(day));
}

const dueParameters = ({ until }: ListedDays) => ({
  until,
  maxEvents: MAX_UNMERGED_EVENTS,
  maxAppends: MAX_UNMERGED_APPENDS,
});
