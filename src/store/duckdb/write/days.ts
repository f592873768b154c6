import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { BEFORE_ALL_DAYS, type Day } from "../../../model/day.js";
import type { ProjectNumber } from "../../../model/names.js";

/** A condition on the columns `project` and `day`, with its parameters. */
export interface DaysCondition {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, DuckDBValue>>;
}

/**
 * Returns a condition that selects days of a project. It contains their range, so that the engine can skip other parts
 * of a table. If the days are not consecutive, it also contains a list of them in the SQL text, because the engine can
 * use such a list for skipping, too.
 *
 * @param days distinct days, at least one.
 */
export function daysCondition(project: ProjectNumber, days: readonly Day[]): DaysCondition {
  const [first, last] = days.reduce(
    ([first, last], day) => [Math.min(first, day), Math.max(last, day)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const sql = "project = $project AND day BETWEEN $first AND $last";
  const parameters = { project: BigInt(project), first, last };
  if (last - first + 1 === days.length) return { sql, parameters };
  return { sql: `${sql} AND day IN (${days.join(", ")})`, parameters };
}

/** Number of values of `key_low`. */
const KEYS = 2n ** 64n;

/** A range of message keys: the first and the last value of `key_low`. */
export interface KeyRange {
  readonly first_key: bigint;
  readonly last_key: bigint;
}

/**
 * Divides all message keys into ranges, to process the states of days of any size in several passes. Keys are hashes, so
 * all ranges have about the same number of messages.
 *
 * @param states number of states in all ranges.
 * @param most maximum number of states in a range, about.
 */
export function keyRanges(states: number, most: number): readonly KeyRange[] {
  const ranges = Math.max(1, Math.ceil(states / most));
  const startOf = (range: number): bigint => (KEYS * BigInt(range)) / BigInt(ranges);
  return Array.from({ length: ranges }, (_, range) => ({
    first_key: startOf(range),
    last_key: startOf(range + 1) - 1n,
  }));
}

/** Counts states by day. Omits days without states. */
export async function statesOfDays(
  connection: DuckDBConnection,
  { sql, parameters }: DaysCondition,
): Promise<ReadonlyMap<Day, number>> {
  const counting = `SELECT day, count(*) FROM message_states WHERE ${sql} GROUP BY day`;
  const result = await connection.runAndReadAll(counting, parameters);
  return new Map(result.getRows().map(([day, states]) => [Number(day), Number(states)]));
}

/**
 * Reads the last append number. The append may have no states any more, but no counted day has a higher number.
 */
export async function lastAppend(connection: DuckDBConnection): Promise<bigint> {
  const result = await connection.runAndReadAll(
    `SELECT greatest(
       0,
       coalesce((SELECT max(append_number) FROM message_states), 0),
       coalesce((SELECT max(last_append) FROM counted_days), 0)
     )`,
  );
  return result.getRows()[0]?.[0] as bigint;
}

/** Reads the last sealed day. Returns {@link BEFORE_ALL_DAYS} if no day is sealed. */
export async function lastSealedDay(connection: DuckDBConnection): Promise<Day> {
  const result = await connection.runAndReadAll("SELECT max(until) FROM sealed_days");
  return Number(result.getRows()[0]?.[0] ?? BEFORE_ALL_DAYS);
}

/**
 * Returns the days that are sealed and not stale, so that no event can change their entries any more.
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

/**
 * Replaces all entries of days. The new entries do not count as computed from message states, unless the caller records
 * that they are. Must run in a transaction, so that readers see each day either before or after the change.
 *
 * @param days distinct days, at least one.
 * @param insert inserts the new entries.
 */
export async function replaceEntries(
  connection: DuckDBConnection,
  project: ProjectNumber,
  days: readonly Day[],
  insert: () => Promise<void>,
): Promise<void> {
  const { sql, parameters } = daysCondition(project, days);
  await connection.run(`DELETE FROM entries WHERE ${sql}`, parameters);
  await connection.run(`DELETE FROM counted_days WHERE ${sql}`, parameters);
  await insert();
}
