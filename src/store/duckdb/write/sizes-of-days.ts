import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import type { DaysCondition } from "./days-condition.js";

/** Counts the rows of each day that has any. */
export async function sizesOfDays(
  connection: DuckDBConnection,
  table: "partial_states" | "message_states",
  { sql, parameters }: DaysCondition,
): Promise<ReadonlyMap<Day, number>> {
  const counting = `SELECT day, count(*) FROM ${table} WHERE ${sql} GROUP BY day`;
  const result = await connection.runAndReadAll(counting, parameters);
  return new Map(result.getRows().map(([day, rows]) => [Number(day), Number(rows)]));
}
