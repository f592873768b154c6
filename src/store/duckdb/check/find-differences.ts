import type { DuckDBConnection } from "@duckdb/node-api";
import { type Day, formatDay } from "../../../model/day.js";
import { COUNTS } from "../../delivery-data-store.js";
import { sqlTemplate } from "../sql.js";
import { daysCondition } from "../write/days-condition.js";
import { EMPTY_FATES } from "../write/state-merge.js";

const SUMMED_SQL = sqlTemplate("summed.sql");
const FATES_SQL = sqlTemplate("fates.sql");
const DIFFERENCES_SQL = sqlTemplate("differences.sql");
const DIFFERS = COUNTS.map((name) => `summed.${name} <> 0`).join(" OR ");

/**
 * Counts the states of messages of days again, and compares the counts with the entries.
 *
 * @param connection prepared for merges (`prepareMerges`).
 * @param days days whose entries count the states.
 * @returns a line for each day with other entries.
 */
export async function findDifferences(
  connection: DuckDBConnection,
  project: string,
  days: readonly Day[],
): Promise<string[]> {
  const { sql, parameters } = daysCondition(project, days);
  await connection.run(EMPTY_FATES);
  const states = `SELECT *, -1 AS messages FROM message_states WHERE ${sql}`;
  await connection.run(FATES_SQL({ STATES: states }), parameters);
  const summed = SUMMED_SQL({ DAYS: sql });
  const result = await connection.runAndReadAll(DIFFERENCES_SQL({ SUMMED: summed, DIFFERS }), parameters);
  return result.getRowObjectsJson().map((row) => {
    const { day, entries, first } = row as {
      day: number;
      entries: string;
      first: { app: string; label: string };
    };
    return (
      `project ${project}, ${formatDay(day)}: ${entries} entries are not what the states of messages yield; ` +
      `the first is that of app ${JSON.stringify(first.app)}, label ${JSON.stringify(first.label)}`
    );
  });
}
