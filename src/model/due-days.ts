import type { UnixMillis } from "./clock.js";
import type { Day } from "./day.js";
import type { ProjectNumber } from "./names.js";

/** A project's due rollups. A day is stale if its events have changed since its last rollup. */
export interface StaleProject {
  readonly project: ProjectNumber;
  /** Number of stale days that are due. */
  readonly days: number;
  /** Time at which the oldest of their changes was stored, or listed if that was later. */
  readonly since: UnixMillis;
}

/**
 * The days that are listed. Their changes are due at once. A later day is due only when so much has changed
 * that a store would rather not keep the work until the day is listed.
 */
export interface ListedDays {
  /** The last listed day. */
  readonly until: Day;
  /** Time at which that day was first listed. */
  readonly since: UnixMillis;
}

/** A query for stale days. */
export interface StaleDayQuery {
  readonly project: ProjectNumber;
  /** Missing if all stale days are due. */
  readonly listed?: ListedDays | undefined;
  /** Only days before this one; missing for all. */
  readonly before?: Day | undefined;
  /** Maximum number of days to return. */
  readonly limit: number;
}

/** A project with days of which something is to be removed. */
export interface ExpiredProject {
  readonly project: ProjectNumber;
  /** Number of such days. */
  readonly days: number;
  /** The oldest of them. */
  readonly oldest: Day;
}

/** A query for days of which something is to be removed. */
export interface ExpiredDayQuery {
  readonly project: ProjectNumber;
  /** Last day whose entries are to be removed; missing to keep all entries. */
  readonly entriesUntil?: Day | undefined;
  /** Only days after this one; missing for all. */
  readonly after?: Day | undefined;
  /** Maximum number of days to return. */
  readonly limit: number;
}
