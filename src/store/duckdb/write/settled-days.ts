import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import type { DaysCondition } from "./days-condition.js";
import { lastSealedDay } from "./sealed-days.js";

/**
 * Returns the days of a project that are sealed and not stale: no event can change their entries any more.
 *
 * @param condition selects `days`.
 */
export async function settledDays(
  connection: DuckDBConnection,
  days: readonly Day[],
  { sql, parameters }: DaysCondition,
): Promise<ReadonlySet<Day>> {
  const last = await lastSealedDay(connection);
  const sealed = days.filter((day) => day <= last);
  if (sealed.length === 0) return new Set();
  const result = await connection.runAndReadAll(
    `SELECT DISTINCT day FROM stale_days WHERE ${sql}`,
    parameters,
  );
  const stale = new Set(result.getRows().map(([day]) => Number(day)));
  return new Set(sealed.filter((day) => !stale.has(day)));
}
