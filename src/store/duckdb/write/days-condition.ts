import { type DuckDBValue, listValue } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";

/** A condition on the columns `project` and `day` of a table, with the parameters that it names. */
export interface DaysCondition {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, DuckDBValue>>;
}

/**
 * What holds of the rows of some days of a project. By the range the engine skips the parts of a table that have none of
 * them; the list is only there if the days do not follow one another.
 *
 * @param days one at least, each once.
 */
export function daysCondition(project: string, days: readonly Day[]): DaysCondition {
  const [first, last] = days.reduce(
    ([first, last], day) => [Math.min(first, day), Math.max(last, day)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const sql = "project = $project AND day BETWEEN $first AND $last";
  const parameters = { project: BigInt(project), first, last };
  if (last - first + 1 === days.length) return { sql, parameters };
  return {
    sql: `${sql} AND day IN (SELECT unnest($days::INTEGER[]))`,
    parameters: { ...parameters, days: listValue(days) },
  };
}
