import type { UnixMillis } from "./clock.js";
import type { Day } from "./day.js";
import type { ProjectNumber } from "./names.js";

/**
 * The stale days of one project that are due for a rollup. A day is stale if its events have changed since its last
 * rollup.
 */
export interface StaleProject {
  readonly project: ProjectNumber;
  /** Number of due days. */
  readonly days: number;
  /**
   * Time at which the oldest change became due: when the change was stored, or when its day was first listed if that
   * was later.
   */
  readonly since: UnixMillis;
}

/**
 * Boundary between listed days and later ones. A change on a listed day is due immediately. A later day is due only if
 * it has so many changes that the store should not wait until the day is listed.
 */
export interface ListedDays {
  /** The last listed day. */
  readonly until: Day;
  /** Time at which that day was first listed. */
  readonly since: UnixMillis;
}

export interface StaleDayQuery {
  readonly project: ProjectNumber;
  /** Boundary of the listed days. If omitted, all stale days are due. */
  readonly listed?: ListedDays | undefined;
  /** Selects only days before this day. */
  readonly before?: Day | undefined;
  readonly limit: number;
}

/** A project that has days with data to remove. */
export interface ExpiredProject {
  readonly project: ProjectNumber;
  /** Number of days with data to remove. */
  readonly days: number;
  /** The oldest day with data to remove. */
  readonly oldest: Day;
}

/** Selects days with data to remove. */
export interface ExpiredDayQuery {
  readonly project: ProjectNumber;
  /** Last day of entries to remove. If omitted, all entries are kept. */
  readonly entriesUntil?: Day | undefined;
  /** Selects only days after this day. */
  readonly after?: Day | undefined;
  readonly limit: number;
}

/**
 * Returns the first days in a list that have at most `maxRows` rows in total. Returns at least one day.
 *
 * @param sizes number of rows by day. Days without rows may be omitted.
 */
export function daysTogether(
  days: readonly Day[],
  sizes: ReadonlyMap<Day, number>,
  maxRows: number,
): readonly Day[] {
  let rows = 0;
  const index = days.findIndex((day, before) => {
    rows += sizes.get(day) ?? 0;
    return before > 0 && rows > maxRows;
  });
  return index < 0 ? days : days.slice(0, index);
}
