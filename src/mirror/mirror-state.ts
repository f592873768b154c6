import { retryDelay } from "../jobs/retry-delay.js";
import { MAX_RETRY_AFTER_MS } from "../limits/data-limits.js";
import { Draws } from "../messaging-data/draws.js";
import { dayOf } from "../model/day.js";
import { type DayRuns, daysSince, runsOf, unionOf } from "./day-runs.js";
import type { AppWalk } from "./round/walk-app.js";
import type { UpstreamError, UpstreamErrorKind } from "./upstream/upstream.js";

/** A series of consecutive failed attempts. */
export interface Failure {
  /** Number of consecutive failed attempts, from 1. */
  readonly count: number;
  /** Kind of the last error. */
  readonly kind: UpstreamErrorKind;
  readonly message: string;
  /** Time of the first consecutive error of this kind, by the clock that days follow, in milliseconds since 1970. */
  readonly since: number;
  /** Time of the last error, by the machine's clock. */
  readonly at: number;
  /** Earliest time for the next attempt, by the machine's clock. */
  readonly retryAt: number;
}

/** State of the attempts to read an app or the app list. */
export interface Attempts {
  /** Start of the last successful round, by the clock that days follow. Omitted if no round has succeeded yet. */
  readonly round?: number;
  /** Omitted if the last attempt has succeeded. */
  readonly failure?: Failure;
}

/** State of an app's mirror. The entries themselves are in the store. */
export interface AppMirror extends Attempts {
  /** Time at which upstream first listed the app, by the clock that days follow. */
  readonly since: number;
  /** Recent days with entries. */
  readonly days: DayRuns;
  /** Digest of the page, if the last round read only one page and published its entries. */
  readonly digest?: string;
  /** Violations of the contract in recent responses, and when the first one occurred. */
  readonly problem?: { readonly message: string; readonly since: number };
}

export interface ProjectMirror {
  /** State of the attempts to read the app list. */
  readonly listing: Attempts;
  /** Failures that prevent reading any app. */
  readonly pause?: Failure;
  readonly apps: ReadonlyMap<string, AppMirror>;
}

export const NEW_MIRROR: ProjectMirror = { listing: {}, apps: new Map() };

/** The same moment on two clocks. */
export interface Moment {
  /** Time of the clock that days follow, in milliseconds since 1970. */
  readonly wall: number;
  /** Time of the machine's clock, in milliseconds since 1970. */
  readonly machine: number;
  /** Failures up to this time of the machine's clock do not have to wait any more. If omitted, all failures wait. */
  readonly releasedAt?: number;
}

/**
 * Adds a failed attempt to earlier ones.
 *
 * @param delayMs returns the time until the next attempt by the number of consecutive failures. It grows with each
 * failure, and is at least as long as `Retry-After` from upstream.
 */
export function failedAgain(
  before: Failure | undefined,
  { kind, message, retryAfterMs = 0 }: UpstreamError,
  now: Moment,
  delayMs = (count: number) => retryDelay(count, retryAfterMs),
): Failure {
  const count = (before?.count ?? 0) + 1;
  const since = before?.kind === kind ? before.since : now.wall;
  return { count, kind, message, since, at: now.machine, retryAt: now.machine + delayMs(count) };
}

/** Interval and random delay of rounds. */
export interface MirrorSchedule {
  /** Time between the starts of two rounds, in milliseconds of the clock that days follow. */
  readonly every: number;
  /**
   * Maximum random delay that is added to the interval, in milliseconds, so that mirrors do not all call upstream at
   * the same time.
   */
  readonly jitter: number;
}

/**
 * Returns true if the next attempt is due: after a failure by the machine's clock, otherwise by the clock that days
 * follow. If the last round is in the future because that clock was set back, the next round is due immediately.
 *
 * @param seed string that differs between mirrors, so that each has its own random delay.
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
  // The random delay is only computed if it matters, because this function runs for thousands of apps every second.
  return overdue >= schedule.jitter || overdue >= schedule.jitter * new Draws(seed, round).fraction();
}

/**
 * Returns true while the next attempt must wait. A wait that exceeds the maximum has ended: it was recorded when the
 * machine's clock was different.
 */
export const isWaiting = (
  { at, retryAt }: Failure,
  { machine, releasedAt = Number.NEGATIVE_INFINITY }: Moment,
): boolean => at > releasedAt && machine < retryAt && retryAt - machine <= MAX_RETRY_AFTER_MS;

/** Number of days to record for an app. Missing days are found among them. */
export const REMEMBERED_DAYS = 400;
/** Maximum length of the recorded description of violations, in characters. */
const MAX_PROBLEM = 500;

/**
 * Returns an app's state after a walk.
 *
 * @param round start of the round on the clock that days follow, and end of the walk on the machine's clock.
 * @param held days with entries in the store, if no days were recorded.
 */
export function afterWalk(
  before: AppMirror | undefined,
  walk: AppWalk,
  round: Moment,
  held: DayRuns,
): AppMirror {
  const { error, problems, digest } = walk;
  const days = unionOf([...(before?.days ?? []), ...held], runsOf(walk.days));
  const first = dayOf(round.wall) - REMEMBERED_DAYS;
  const known = { since: before?.since ?? round.wall, days: daysSince(days, first) };
  if (error !== undefined) {
    const { digest: _, ...others } = before ?? {};
    return { ...others, ...known, failure: failedAgain(before?.failure, error, round) };
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
