import { type Day, weekdayOf } from "../../model/day.js";
import { type DayRuns, hasDay } from "../day-runs.js";

/**
 * Number of days before and after a hole to consider. They show whether the app has entries every day, or on the
 * weekday in question.
 */
const SIDE = 14;
/**
 * Minimum number of these days that must have entries. Without it, apps that were only used for tests would have
 * missing days.
 */
const MIN_HELD = 3;
/** Number of missing days after which an app counts as stopped. */
const STOPPED = 3;

export interface MissingDays {
  /** Days without entries that should have entries, in ascending order. */
  readonly missing: readonly Day[];
  /** Set if the app has stopped sending. */
  readonly stopped?: {
    /** Last day with entries. */
    readonly after: Day;
    /** First expected day without entries. */
    readonly first: Day;
    /** Third expected day without entries. From this day on, the app counts as stopped. */
    readonly certain: Day;
  };
}

/**
 * Finds days that have no entries but should have some. A day should have entries if the app was active around it. This
 * means: in the two weeks before and after, at least half of the days have entries, and at least a third of the days
 * with the same weekday. Days before the first and after the last entry are ignored.
 *
 * @param held days that have entries.
 * @param until last day that upstream should have listed.
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

/** Returns a function that decides whether a day in a hole should have entries. */
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
