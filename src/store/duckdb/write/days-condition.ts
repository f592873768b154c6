import type { DuckDBValue } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";

/** A condition on the columns `project` and `day` of a table, with its parameters. */
export interface DaysCondition {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, DuckDBValue>>;
}

/**
 * Builds the condition that selects some days of a project. The range lets the engine skip parts of a table
 * without any of them; the list of days, which does so too if it is part of the statement, is added only if
 * they are not consecutive.
 *
 * @param days at least one, without duplicates.
 */
export function daysCondition(project: string, days: readonly Day[]): DaysCondition {
  const [first, last] = days.reduce(
    ([first, last], day) => [Math.min(first, day), Math.max(last, day)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const sql = "project = $project AND day BETWEEN $first AND $last";
  const parameters = { project: BigInt(project), first, last };
  if (last - first + 1 === days.length) return { sql, parameters };
  return { sql: `${sql} AND day IN (${days.join(", ")})`, parameters };
}
