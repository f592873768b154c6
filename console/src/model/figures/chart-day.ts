import type { Day } from "../../../../src/model/day.js";
import { type Counts, sumOf } from "../numbers/counts.js";

/** The counts of one day. Days without entries have no row. */
export interface ChartDay {
  readonly day: Day;
  readonly counts: Counts;
}

/** A day that a chart highlights. */
export interface DayMark {
  readonly day: Day;
  /** The reason, in one sentence. */
  readonly text: string;
}

/** Makes chart rows from groups by date, and drops groups without a date. */
export const chartDaysOf = (
  groups: readonly { readonly day: Day | undefined; readonly counts: Counts }[],
): ChartDay[] =>
  groups
    .flatMap(({ day, counts }) => (day === undefined ? [] : [{ day, counts }]))
    .sort((a, b) => a.day - b.day);

/** Adds up the counts of all rows. */
export const totalOf = (rows: readonly ChartDay[]): Counts => sumOf(rows.map(({ counts }) => counts));
