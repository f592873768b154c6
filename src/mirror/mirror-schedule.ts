import { MAX_RETRY_AFTER_MS } from "../limits/limits.js";
import { Draws } from "../messaging-data/draws.js";
import type { Attempts, Failure, Moment } from "./mirror-state.js";

/** The times at which a mirror reads its original. */
export interface MirrorSchedule {
  /** Time between the starts of two rounds, in milliseconds of the clock that days follow. */
  readonly every: number;
  /** Longest time that is added to it, so that not all mirrors of an original come at once, in milliseconds. */
  readonly jitter: number;
}

/**
 * Returns true if the next attempt is due: after a failure by the clock of the machine, otherwise by the clock that
 * days follow. A last round in the future was before somebody turned that clock back: the next is due at once.
 *
 * @param seed distinguishes what is done in rounds of its own.
 */
export function isDue(
  { round, failure }: Attempts,
  schedule: MirrorSchedule,
  seed: string,
  now: Moment,
): boolean {
  if (failure !== undefined) return !isWaiting(failure, now);
  if (round === undefined || round > now.wall) return true;
  const overdue = now.wall - round - schedule.every;
  if (overdue < 0) return false;
  // Drawn only if it counts: this is asked of thousands of apps every second.
  return overdue >= schedule.jitter || overdue >= schedule.jitter * new Draws(seed, round).fraction();
}

/**
 * Returns true while no further attempt may begin. A longer wait than there is was written when the machine had another
 * time.
 */
export const isWaiting = (
  { at, retryAt }: Failure,
  { machine, releasedAt = Number.NEGATIVE_INFINITY }: Moment,
): boolean => at > releasedAt && machine < retryAt && retryAt - machine <= MAX_RETRY_AFTER_MS;
