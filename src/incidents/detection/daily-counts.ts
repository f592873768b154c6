import { at } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import { read, readDay } from "./columns.js";

/**
 * Evaluated outcomes, by their names in `DeliveryCounts`. An incident is a fall of `delivered`, or a rise of another
 * outcome.
 */
export const OUTCOMES = [
  "delivered",
  "pending",
  "collapsed",
  "droppedTooManyPendingMessages",
  "droppedAppForceStopped",
  "droppedDeviceInactive",
  "droppedTtlExpired",
] as const;

/** An evaluated outcome. */
export type Outcome = (typeof OUTCOMES)[number];

/** Daily counts of one label or of the whole app, in parallel columns. Days without accepted messages are absent. */
export interface DailyCounts {
  /** Day numbers (`src/model/day.ts`), ascending. */
  readonly days: Int32Array;
  /** Accepted messages per day. */
  readonly accepted: Float64Array;
  /** One column for each of {@link OUTCOMES}, in this order. */
  readonly outcomes: readonly Float64Array[];
}

/**
 * Returns the counts without days that have no accepted messages. Data from another service can lack such figures, and
 * an absent figure carries no information about the day.
 */
export function withoutEmptyDays(counts: DailyCounts): DailyCounts {
  const { days, accepted, outcomes } = counts;
  const isKept = (_: number, row: number): boolean => read(accepted, row) > 0;
  if (accepted.every(isKept)) return counts;
  return {
    days: days.filter(isKept),
    accepted: accepted.filter(isKept),
    outcomes: outcomes.map((column) => column.filter(isKept)),
  };
}

/** Number of labels to process between pauses. */
const LABELS_WITHOUT_PAUSE = 128;

/** Subtracts the counts of labels from the app's counts. Yields about every millisecond. */
export function* countsOfOthers(
  app: DailyCounts,
  labels: readonly DailyCounts[],
): Generator<void, DailyCounts> {
  const accepted = yield* withoutLabels(app, app.accepted, labels, (counts) => counts.accepted);
  const left = [...accepted.keys()].filter((row) => read(accepted, row) > 0);
  const outcomes: Float64Array[] = [];
  for (const [outcome, all] of left.length === 0 ? [] : app.outcomes.entries()) {
    const column = yield* withoutLabels(app, all, labels, (counts) => at(counts.outcomes, outcome));
    outcomes.push(Float64Array.from(left, (row) => Math.max(0, read(column, row))));
  }
  return {
    days: Int32Array.from(left, (row) => readDay(app.days, row)),
    accepted: Float64Array.from(left, (row) => read(accepted, row)),
    outcomes,
  };
}

function* withoutLabels(
  { days }: DailyCounts,
  all: Float64Array,
  labels: readonly DailyCounts[],
  columnOf: (counts: DailyCounts) => Float64Array,
): Generator<void, Float64Array> {
  const rest = all.slice();
  for (const [index, counts] of labels.entries()) {
    if (index % LABELS_WITHOUT_PAUSE === 0) yield;
    subtract(rest, days, columnOf(counts), counts.days);
  }
  return rest;
}

function subtract(from: Float64Array, all: Int32Array, counts: Float64Array, days: Int32Array): void {
  let row = 0;
  for (let own = 0; own < days.length; own++) {
    const day = readDay(days, own);
    while (row < all.length && readDay(all, row) < day) row++;
    if (all[row] === day) from[row] = read(from, row) - read(counts, own);
  }
}

/** Weekday of a day, from 0. Any number that repeats every seven days works. */
export function weekdayOf(day: Day): number {
  return ((day % 7) + 7) % 7;
}
