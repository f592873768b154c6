import { retryDelay } from "../jobs/retry-delay.js";
import { MAX_RETRY_AFTER_MS } from "../limits/limits.js";
import { Draws } from "../messaging-data/draws.js";
import { dayOf } from "../model/day.js";
import { type DayRuns, daysSince, runsOf, unionOf } from "./day-runs.js";
import type { AppWalk } from "./round/walk-app.js";
import type { UpstreamError, UpstreamFault } from "./upstream/upstream.js";

/** Attempts that failed, one after the other. */
export interface Failure {
  /** Number of failures in a row, from 1. */
  readonly count: number;
  /** Fault of the last one. */
  readonly fault: UpstreamFault;
  readonly message: string;
  /** Time of the first one with this fault, by the clock that days follow, in milliseconds since 1970. */
  readonly since: number;
  /** Time of the last one, by the clock of the machine. */
  readonly at: number;
  /** Earliest time of the next attempt, by the clock of the machine. */
  readonly retryAt: number;
}

/** The outcome of attempts at something that is done in rounds. */
export interface Attempts {
  /** Start of the last round that went well, by the clock that days follow; missing before the first. */
  readonly round?: number;
  /** Missing if the last attempt went well. */
  readonly failure?: Failure;
}

/** The state of the mirror of an app, beside its entries. */
export interface AppMirror extends Attempts {
  /** Time at which the app was first known, by the clock that days follow. */
  readonly since: number;
  /** The days of late that have entries. */
  readonly days: DayRuns;
  /** Digest of the only page of the last round, whose entries are published. */
  readonly digest?: string;
  /** Deviations of the last answers from the form of the contract, and the time of the first. */
  readonly problem?: { readonly message: string; readonly since: number };
}

/** The state of the mirror of a project. */
export interface ProjectMirror {
  /** Readings of the list of apps. */
  readonly listing: Attempts;
  /** Failures that keep all apps from being read. */
  readonly pause?: Failure;
  readonly apps: ReadonlyMap<string, AppMirror>;
}

/** A mirror that nothing is known of. */
export const NEW_MIRROR: ProjectMirror = { listing: {}, apps: new Map() };

/** A moment by two clocks. */
export interface Moment {
  /** By the clock that days follow, in milliseconds since 1970. */
  readonly wall: number;
  /** By the clock of the machine. */
  readonly machine: number;
  /** Time up to which failures wait no longer, by the clock of the machine; missing if all wait. */
  readonly releasedAt?: number;
}

/**
 * Adds a failure to those before it.
 *
 * @param delayMs time until the next attempt by the number of failures in a row: longer after each, and no less than the
 * upstream asks for.
 */
export function failedAgain(
  before: Failure | undefined,
  { fault, message, retryAfterMs = 0 }: UpstreamError,
  now: Moment,
  delayMs = (count: number) => retryDelay(count, retryAfterMs),
): Failure {
  const count = (before?.count ?? 0) + 1;
  const since = before?.fault === fault ? before.since : now.wall;
  return { count, fault, message, since, at: now.machine, retryAt: now.machine + delayMs(count) };
}

/** The times at which a mirror reads its upstream. */
export interface MirrorSchedule {
  /** Time between the starts of two rounds, in milliseconds of the clock that days follow. */
  readonly every: number;
  /** Longest time that is added to it, so that not all mirrors of an upstream come at once, in milliseconds. */
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
