import { retryDelay } from "../jobs/retry-delay.js";
import { MAX_RETRY_AFTER_MS } from "../limits/limits.js";
import { Draws } from "../messaging-data/draws.js";
import { dayOf } from "../model/day.js";
import { type DayRuns, daysSince, runsOf, unionOf } from "./day-runs.js";
import type { AppWalk } from "./round/walk-app.js";
import type { UpstreamError, UpstreamErrorKind } from "./upstream/upstream.js";

/** Consecutive failed attempts. */
export interface Failure {
  /** Number of consecutive failures, from 1. */
  readonly count: number;
  /** Error kind of the last failure. */
  readonly fault: UpstreamErrorKind;
  readonly message: string;
  /** Time of the first failure of this kind, by the clock that days follow, in milliseconds since 1970. */
  readonly since: number;
  /** Time of the last failure, by the system clock. */
  readonly at: number;
  /** Earliest time of the next attempt, by the system clock. */
  readonly retryAt: number;
}

/** Outcome of the attempts to read an app or the app list. */
export interface Attempts {
  /** Start of the last successful round, by the clock that days follow. Omitted before the first. */
  readonly round?: number;
  /** Omitted if the last attempt succeeded. */
  readonly failure?: Failure;
}

/** State of an app's mirror, apart from its entries. */
export interface AppMirror extends Attempts {
  /** Time at which the app was first listed, by the clock that days follow. */
  readonly since: number;
  /** Recent days that have entries. */
  readonly days: DayRuns;
  /** Digest of the only page of the last round. Its entries are published. */
  readonly digest?: string;
  /** Deviations of recent responses from the contract, and when the first occurred. */
  readonly problem?: { readonly message: string; readonly since: number };
}

/** State of a project's mirror. */
export interface ProjectMirror {
  /** Attempts to read the app list. */
  readonly listing: Attempts;
  /** Failures that keep all apps from being read. */
  readonly pause?: Failure;
  readonly apps: ReadonlyMap<string, AppMirror>;
}

/** State of a new mirror. */
export const NEW_MIRROR: ProjectMirror = { listing: {}, apps: new Map() };

/** A moment on two clocks. */
export interface Moment {
  /** By the clock that days follow, in milliseconds since 1970. */
  readonly wall: number;
  /** By the system clock. */
  readonly machine: number;
  /** Failures up to this time no longer wait, by the system clock. If omitted, all failures wait. */
  readonly releasedAt?: number;
}

/**
 * Adds a failure to the previous ones.
 *
 * @param delayMs returns the time until the next attempt, by the number of consecutive failures. It grows with each
 *   failure, and is at least the `Retry-After` of upstream.
 */
export function failedAgain(
  before: Failure | undefined,
  { kind: fault, message, retryAfterMs = 0 }: UpstreamError,
  now: Moment,
  delayMs = (count: number) => retryDelay(count, retryAfterMs),
): Failure {
  const count = (before?.count ?? 0) + 1;
  const since = before?.fault === fault ? before.since : now.wall;
  return { count, fault, message, since, at: now.machine, retryAt: now.machine + delayMs(count) };
}

/** Interval and jitter between rounds. */
export interface MirrorSchedule {
  /** Time between the starts of two rounds, in milliseconds of the clock that days follow. */
  readonly every: number;
  /**
   * Maximum random time added to the interval, in milliseconds, so that mirrors do not call upstream at the same time.
   */
  readonly jitter: number;
}

/**
 * Returns true if the next attempt is due: after a failure by the system clock, otherwise by the clock that days
 * follow. If the last round is in the future, that clock was set back, and the next round is due at once.
 *
 * @param seed distinguishes mirrors, so that each gets its own random time.
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
  // Drawn only if needed: this runs for thousands of apps every second.
  return overdue >= schedule.jitter || overdue >= schedule.jitter * new Draws(seed, round).fraction();
}

/**
 * Returns true while the next attempt has to wait. A wait beyond the maximum was recorded when the system clock was
 * different, and is over.
 */
export const isWaiting = (
  { at, retryAt }: Failure,
  { machine, releasedAt = Number.NEGATIVE_INFINITY }: Moment,
): boolean => at > releasedAt && machine < retryAt && retryAt - machine <= MAX_RETRY_AFTER_MS;

/** Number of days that are recorded for an app, to find missing days among them. */
export const REMEMBERED_DAYS = 400;
/** Maximum length of the recorded problems, in characters. */
const MAX_PROBLEM = 500;

/**
 * Returns an app's state after a walk.
 *
 * @param round start of the round, with the system time at which the walk ended.
 * @param held days with entries, for an app that had no state.
 */
export function afterWalk(
  before: AppMirror | undefined,
  walk: AppWalk,
  round: Moment,
  held: DayRuns,
): AppMirror {
  const { error, problems, digest } = walk;
  const days = unionOf(before?.days ?? held, runsOf(walk.days));
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
