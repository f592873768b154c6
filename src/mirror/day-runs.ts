import type { Day } from "../model/day.js";

/**
 * A set of days as runs of consecutive days. The runs are in ascending order, with at least one day between two runs.
 */
export type DayRuns = readonly (readonly [first: Day, last: Day])[];

/** Creates a set from days in any order, with or without duplicates. */
export const runsOf = (days: Iterable<Day>): DayRuns =>
  merged([...new Set(days)].map((day) => [day, day] as const));

export const unionOf = (some: DayRuns, others: DayRuns): DayRuns => merged([...some, ...others]);

export const daysSince = (runs: DayRuns, since: Day): DayRuns =>
  runs.filter(([, last]) => last >= since).map(([first, last]) => [Math.max(first, since), last]);

/**
 * Returns true if a set contains a day. Gap detection calls this often: for each day around each hole, for thousands of
 * apps. It uses binary search.
 */
export function hasDay(runs: DayRuns, day: Day): boolean {
  let [start, end] = [0, runs.length];
  while (start < end) {
    const middle = (start + end) >>> 1;
    const [first, last] = runs[middle] ?? [day, day];
    if (first <= day && day <= last) return true;
    if (last < day) start = middle + 1;
    else end = middle;
  }
  return false;
}

function merged(runs: (readonly [Day, Day])[]): DayRuns {
  const result: [Day, Day][] = [];
  for (const [first, last] of runs.toSorted(([a], [b]) => a - b)) {
    const before = result.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else result.push([first, last]);
  }
  return result;
}
