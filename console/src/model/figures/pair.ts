import type { Day } from "#src/model/day.js";
import { type DayRange, daysIn } from "../days/day-range.js";
import { CATEGORY_GROUPS } from "../numbers/categories.js";
import { type Counts, sumOf } from "../numbers/counts.js";
import type { ChartDay } from "./chart-day.js";
import { type Series, seriesOf, seriesShare } from "./series.js";

/** The counts on both sides of a comparison. */
export interface Pair {
  readonly left: Counts;
  readonly right: Counts;
}

interface SideDays {
  readonly range: DayRange;
  readonly days: readonly ChartDay[];
}

/** Returns the day axis for both sides: the longer range, or the right one if they are equally long. */
export const commonRange = (left: DayRange, right: DayRange): DayRange =>
  daysIn(left) > daysIn(right) ? left : right;

/** Aligns two sides by their first days. */
export function pairsOf(left: SideDays, right: SideDays): readonly ChartDay<Pair>[] {
  const { first } = commonRange(left.range, right.range);
  const byDay = new Map<Day, Pair>();
  for (const [name, { range, days }] of [
    ["left", left],
    ["right", right],
  ] as const) {
    for (const { day, counts } of days) {
      const moved = day - range.first + first;
      byDay.set(moved, { left: {}, right: {}, ...byDay.get(moved), [name]: counts });
    }
  }
  return [...byDay].map(([day, counts]) => ({ day, counts })).sort((a, b) => a.day - b.day);
}

/** Adds up each side. */
export const sumOfPairs = (days: readonly ChartDay<Pair>[]): Pair => ({
  left: sumOf(days.map(({ counts }) => counts.left)),
  right: sumOf(days.map(({ counts }) => counts.right)),
});

const LOOKS = {
  left: { color: "--messages", mark: "circle" },
  right: { color: "--notifications", mark: "diamond" },
} as const;

export const pairSeriesOf = (
  { countOf, base }: Series,
  titles: { readonly left: string; readonly right: string },
): readonly Series<Pair>[] =>
  (["left", "right"] as const).map((side) => ({
    // Titles must be unique.
    title: side === "right" && titles.left === titles.right ? `${titles.right} (right)` : titles[side],
    meaning: "",
    look: LOOKS[side],
    countOf: (pair) => countOf(pair[side]),
    ...(base && {
      base: { title: `${base.title}, ${side}`, countOf: (pair: Pair) => base.countOf(pair[side]) },
    }),
  }));

/** A category with its share on each side, in percent. Undefined if nothing was accepted. */
export interface ComparedRow {
  readonly key: string;
  readonly group: string;
  readonly title: string;
  readonly left: number | undefined;
  readonly right: number | undefined;
  readonly series: Series;
}

/** Returns a row for each category, and one for unaccounted messages in each exclusive group. */
export const comparedRowsOf = (left: Counts, right: Counts): readonly ComparedRow[] =>
  CATEGORY_GROUPS.flatMap((group) =>
    seriesOf(group).map(
      (series): ComparedRow => ({
        key: series.key ?? series.title,
        group: `${group.title}, ${group.of}`,
        title: series.title,
        left: seriesShare(series, left),
        right: seriesShare(series, right),
        series,
      }),
    ),
  );
