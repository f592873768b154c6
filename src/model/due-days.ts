import type { UnixMillis } from "./clock.js";
import type { Day } from "./day.js";
import type { ProjectNumber } from "./names.js";

/** A project's due rollups. A day is stale if its events have changed since its last rollup. */
export interface StaleProject {
  readonly project: ProjectNumber;
  /** Number of due days. */
  readonly days: number;
  /**
   * Time since which the oldest change is due: when it was stored, or when its day was first listed if that was
   * later.
   */
  readonly since: UnixMillis;
}

/**
 * The listed days. Their changes are due immediately. A later day is due only after so many changes that a store
 * should not leave the work until the day is listed.
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
  /** Omitted if all stale days are due. */
  readonly listed?: ListedDays | undefined;
  /** Selects only days before this one. */
  readonly before?: Day | undefined;
  /** Maximum number of days to return. */
  readonly limit: number;
}

/** A project with days that have data to remove. */
export interface ExpiredProject {
  readonly project: ProjectNumber;
  /** Number of days with data to remove. */
  readonly days: number;
  /** The oldest day with data to remove. */
  readonly oldest: Day;
}

/** A query for days that have data to remove. */
export interface ExpiredDayQuery {
  readonly project: ProjectNumber;
  /** Last day with entries to remove; omitted to keep all entries. */
  readonly entriesUntil?: Day | undefined;
  /** Selects only days after this one. */
  readonly after?: Day | undefined;
  /** Maximum number of days to return. */
  readonly limit: number;
}
