import { at } from "../../model/collections.js";
import { type Day, formatDay } from "../../model/day.js";
import type { ClickHouseTarget } from "../clickhouse/copy/clickhouse-target.js";
import { COUNTS, type GroupColumns } from "../delivery-data-store.js";
import type { DuckDbSource } from "../duckdb/copy/duckdb-source.js";
import type { ProjectDays } from "./project-days.js";

/**
 * Compares a copy with its source: number of messages and sums of all counts for each day.
 *
 * @returns one line for each difference.
 */
export async function compareProject(
  source: Pick<DuckDbSource, "messagesOf" | "sums">,
  target: ClickHouseTarget,
  { project, batches }: ProjectDays,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const report = (day: Day, what: string, expected: number, found: number): void => {
    if (expected === found) return;
    problems.push(`project ${project}, ${formatDay(day)}: ${what} is ${found} instead of ${expected}`);
  };
  for (const batch of batches) {
    const found = await target.messages(
      project,
      batch.map(({ day }) => day),
    );
    for (const stored of batch) {
      report(
        stored.day,
        "the number of messages",
        await source.messagesOf(stored),
        found.get(stored.day) ?? 0,
      );
    }
  }
  const [expected, found] = [sumsByDay(await source.sums(project)), sumsByDay(await target.sums(project))];
  for (const day of new Set([...expected.keys(), ...found.keys()])) {
    for (const [index, name] of COUNTS.entries()) {
      report(day, `the sum of ${name}`, expected.get(day)?.[index] ?? 0, found.get(day)?.[index] ?? 0);
    }
  }
  return problems;
}

/** Returns sums by day, in the order of {@link COUNTS}. */
const sumsByDay = (groups: readonly GroupColumns[]): ReadonlyMap<Day, readonly number[]> =>
  new Map(
    groups.flatMap(({ days = [], counts }) =>
      Array.from(days, (day, row) => [day, counts.map((column) => at(column, row))] as const),
    ),
  );
