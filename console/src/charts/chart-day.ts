import type { Day } from "../../../src/model/day.js";
import { type Counts, sumOf } from "../numbers/counts.js";

/** The counts of a day, as charts draw them. A day without entries has no row. */
export interface ChartDay {
  readonly day: Day;
  readonly counts: Counts;
}

/** A day that a chart points out. */
export interface DayMark {
  readonly day: Day;
  /** Why, in a sentence. */
  readonly text: string;
}

/** The rows of charts, from groups by date; what belongs to no day is left out. */
export const chartDaysOf = (
  groups: readonly { readonly day: Day | undefined; readonly counts: Counts }[],
): ChartDay[] =>
  groups
    .flatMap(({ day, counts }) => (day === undefined ? [] : [{ day, counts }]))
    .sort((a, b) => a.day - b.day);

/** The counts of all rows together. */
export const totalOf = (rows: readonly ChartDay[]): Counts => sumOf(rows.map(({ counts }) => counts));
