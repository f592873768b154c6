import { retryDelay } from "../jobs/retry-delay.js";
import type { DayRuns } from "./day-runs.js";
import type { OriginalError, OriginalFault } from "./original/original.js";

/** Attempts that failed, one after the other. */
export interface Failure {
  /** Number of failures in a row, from 1. */
  readonly count: number;
  /** Fault of the last one. */
  readonly fault: OriginalFault;
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
 * original asks for.
 */
export function failedAgain(
  before: Failure | undefined,
  { fault, message, retryAfterMs = 0 }: OriginalError,
  now: Moment,
  delayMs = (count: number) => retryDelay(count, retryAfterMs),
): Failure {
  const count = (before?.count ?? 0) + 1;
  const since = before?.fault === fault ? before.since : now.wall;
  return { count, fault, message, since, at: now.machine, retryAt: now.machine + delayMs(count) };
}
