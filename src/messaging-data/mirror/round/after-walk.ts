import type { Day } from "../../../model/day.js";
import { retryDelay } from "../../jobs/retry-delay.js";
import { type DayRuns, daysSince, runsOf, unionOf } from "../day-runs.js";
import { type AppMirror, type Attempts, failedAgain, type Moment } from "../mirror-state.js";
import type { OriginalError } from "../original/original.js";
import type { AppWalk } from "./walk-app.js";

/** Days that are remembered of an app, to judge what is missing among them. */
export const REMEMBERED_DAYS = 400;
/** Longest text of problems that is remembered, in characters. */
const MAX_PROBLEM = 500;

/**
 * Returns what is known of an app after a walk.
 *
 * @param round start of the round.
 * @param held the days that have entries, for an app that nothing was known of.
 */
export function afterWalk(
  before: AppMirror | undefined,
  walk: AppWalk,
  round: Moment,
  held: DayRuns,
  today: Day,
): AppMirror {
  const { fault, problems, digest } = walk;
  const days = unionOf(before?.days ?? held, runsOf(walk.days));
  const known = { since: before?.since ?? round.wall, days: daysSince(days, today - REMEMBERED_DAYS) };
  if (fault !== undefined) {
    const { digest: _, ...others } = before ?? {};
    return { ...others, ...known, failure: failedAgain(before?.failure, fault, round, delayAfter(fault)) };
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

/** Returns what is known of attempts of which the last one failed. */
export const afterFailure = (before: Attempts, fault: OriginalError, now: Moment): Attempts => ({
  ...before,
  failure: failedAgain(before.failure, fault, now, delayAfter(fault)),
});

/** Time until the next attempt by the number of failures: doubled with each, and no less than the original asks for. */
export const delayAfter =
  ({ retryAfterMs = 0 }: OriginalError) =>
  (count: number): number =>
    retryDelay(count, retryAfterMs);
