import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import type { ExpiredDayQuery, ExpiredProject } from "../../../model/due-days.js";
import { readSql } from "../sql.js";
import { BEFORE_ALL_DAYS, lastSealedDay } from "../write/sealed-days.js";

const EXPIRED = readSql("expired-days.sql");
const PROJECTS_SQL = `SELECT project, count(*), min(day) FROM (${EXPIRED}) GROUP BY project`;
const DAYS_SQL = `
  SELECT day FROM (${EXPIRED}) WHERE project = $project AND day > $after ORDER BY day LIMIT $limit`;

/** Reads the projects with days of which something is to go. */
export async function readExpiredProjects(
  connection: DuckDBConnection,
  entriesUntil: Day,
): Promise<readonly ExpiredProject[]> {
  // As a number in the statement, it lets the engine skip newer parts of the tables.
  const sealedUntil = await lastSealedDay(connection);
  const result = await connection.runAndReadAll(PROJECTS_SQL, {
    sealed_until: sealedUntil,
    entries_until: entriesUntil,
  });
  return result.getRows().map(([project, days, oldest]) => ({
    project: String(project),
    days: Number(days),
    oldest: Number(oldest),
  }));
}

/** Reads such days of a project, oldest first. */
export async function readExpiredDays(
  connection: DuckDBConnection,
  { project, entriesUntil = BEFORE_ALL_DAYS, after = BEFORE_ALL_DAYS, limit }: ExpiredDayQuery,
): Promise<readonly Day[]> {
  const result = await connection.runAndReadAll(DAYS_SQL, {
    project: BigInt(project),
    sealed_until: await lastSealedDay(connection),
    entries_until: entriesUntil,
    after,
    limit,
  });
  return result.getRows().map(([day]) => Number(day));
}
