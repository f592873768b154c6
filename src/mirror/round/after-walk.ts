import { dayOf } from "../../model/day.js";
import { type DayRuns, daysSince, runsOf, unionOf } from "../day-runs.js";
import { type AppMirror, failedAgain, type Moment } from "../mirror-state.js";
import type { AppWalk } from "./walk-app.js";

/** Days that are remembered of an app, to judge what is missing among them. */
export const REMEMBERED_DAYS = 400;
/** Longest text of problems that is remembered, in characters. */
const MAX_PROBLEM = 500;

/**
 * Returns what is known of an app after a walk.
 *
 * @param round start of the round, and by the clock of the machine the end of the walk.
 * @param held the days that have entries, for an app that nothing was known of.
 */
export function afterWalk(
  before: AppMirror | undefined,
  walk: AppWalk,
  round: Moment,
  held: DayRuns,
): AppMirror {
  const { fault, problems, digest } = walk;
  const days = unionOf(before?.days ?? held, runsOf(walk.days));
  const first = dayOf(round.wall) - REMEMBERED_DAYS;
  const known = { since: before?.since ?? round.wall, days: daysSince(days, first) };
  if (fault !== undefined) {
    const { digest: _, ...others } = before ?? {};
    return { ...others, ...known, failure: failedAgain(before?.failure, fault, round) };
  }
  const message = problems.join("; ").slice(0, MAX_PROBLEM);
  const since = before?.problem?.since ?? round.wall;
  return {
    ...known,
    round: round.wall,
    ...(digest && { digest }),
    ...(message !== "" && { problem: { message, since } }),
  };
}
