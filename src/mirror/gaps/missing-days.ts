import type { Day } from "../../model/day.js";
import { type DayRuns, hasDay } from "../day-runs.js";

/** Days on each side of a hole that tell whether an app has entries every day, or on this day of the week. */
const SIDE = 14;
/** Fewest of these days with entries: an app that was only tried out misses nothing. */
const MIN_HELD = 3;
/** Days without entries after which an app has stopped, rather than that dates are missing. */
const STOPPED = 3;
const WEEK = 7;

/** The missing days of an app. */
export interface MissingDays {
  /** Days within its traffic that should have entries, ascending. */
  readonly missing: readonly Day[];
  /** Missing unless the app has stopped. */
  readonly stopped?: {
    /** The last day with entries. */
    readonly after: Day;
    /** The first day without those that it should have. */
    readonly first: Day;
    /** The day that makes it certain. */
    readonly certain: Day;
  };
}

/**
 * Finds the days that should have entries and have none. A hole in the days of an app is judged by the two weeks before
 * and after it: the app must have entries on half of these days, and on a third of those of the same day of the week, as
 * far as they are within its traffic. Nothing is missing before the first day.
 *
 * @param held the days that have entries.
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

/** Returns the rule that tells which days of a hole should have entries. */
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
