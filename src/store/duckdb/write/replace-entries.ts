import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import { daysCondition } from "./days-condition.js";

/**
 * Replaces all entries of days of a project, which from then on do not count the states of messages. Run it
 * in a transaction: readers then see each day either before or after it.
 *
 * @param days at least one, without duplicates.
 * @param insert inserts the new entries.
 */
export async function replaceEntries(
  connection: DuckDBConnection,
  project: string,
  days: readonly Day[],
  insert: () => Promise<void>,
): Promise<void> {
  const { sql, parameters } = daysCondition(project, days);
  await connection.run(`DELETE FROM entries WHERE ${sql}`, parameters);
  await connection.run(`DELETE FROM counted_days WHERE ${sql}`, parameters);
  await insert();
}
