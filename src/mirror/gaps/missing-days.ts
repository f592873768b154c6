import type { Day } from "../../model/day.js";
import { type DayRuns, hasDay } from "../day-runs.js";

/** Number of days on each side of a hole that show whether the app has entries daily, or on this weekday. */
const SIDE = 14;
/** Minimum number of these days with entries. An app that was only tried out has no missing days. */
const MIN_HELD = 3;
/** Number of missing days after which the app counts as stopped. */
const STOPPED = 3;
const WEEK = 7;

/** An app's missing days. */
export interface MissingDays {
  /** Days within its traffic that should have entries, ascending. */
  readonly missing: readonly Day[];
  /** Only set if the app has stopped. */
  readonly stopped?: {
    /** Last day with entries. */
    readonly after: Day;
    /** First expected day without entries. */
    readonly first: Day;
    /** Third expected day without entries. On this day the app counts as stopped. */
    readonly certain: Day;
  };
}

/**
 * Finds the days that should have entries but have none. A day counts as missing only if the app was active around it:
 * in the two weeks before and after, it has entries on at least half of the days, and on at least a third of those with
 * the same weekday. Days before the first and after the last entry are ignored.
 *
 * @param held days that have entries.
 * @param until last day that should be there.
 */
export function missingDays(held: DayRuns, until: Day): MissingDays {
  const [first] = held[0] ?? [Number.POSITIVE_INFINITY];
  const missing: Day[] = [];
  for (const [index, [, last]] of held.entries()) {
    const next = held[index + 1]?.[0];
    const hole = { from: last + 1, to: Math.min((next ?? until + 1) - 1, until) };
    if (hole.from > hole.to) continue;
    const isExpected = expectationIn(held, hole, { from: first, to: next === undefined ? last : until });
    const expected: Day[] = [];
    for (let day = hole.from; day <= hole.to; day++) {
      if (isExpected(day)) expected.push(day);
      const [start, , certain] = expected;
      if (next === undefined && start !== undefined && certain !== undefined && expected.length === STOPPED)
        return { missing, stopped: { after: last, first: start, certain } };
    }
    missing.push(...expected);
  }
  return { missing };
}

/** Returns true for days in a hole that should have entries. */
function expectationIn(
  held: DayRuns,
  hole: { readonly from: Day; readonly to: Day },
  traffic: { readonly from: Day; readonly to: Day },
): (day: Day) => boolean {
  const around: { readonly weekday: number; readonly isHeld: boolean }[] = [];
  const add = (day: Day): void => {
    if (day >= traffic.from && day <= traffic.to)
      around.push({ weekday: weekdayOf(day), isHeld: hasDay(held, day) });
  };
  for (let distance = 1; distance <= SIDE; distance++) {
    add(hole.from - distance);
    add(hole.to + distance);
  }
  const heldAround = around.filter(({ isHeld }) => isHeld);
  if (heldAround.length < MIN_HELD || 2 * heldAround.length < around.length) return () => false;
  return (day) => {
    const isAlike = ({ weekday }: { weekday: number }) => weekday === weekdayOf(day);
    return 3 * heldAround.filter(isAlike).length >= around.filter(isAlike).length;
  };
}

const weekdayOf = (day: Day): number => ((day % WEEK) + WEEK) % WEEK;
