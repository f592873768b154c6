import type { Day } from "./day.js";

/** A project with days of which something is to be removed. */
export interface ExpiredProject {
  /** Project number, in decimal. */
  readonly project: string;
  /** Number of such days. */
  readonly days: number;
  /** The oldest of them. */
  readonly oldest: Day;
}

/** A query for days of which something is to be removed. */
export interface ExpiredDayQuery {
  /** Project number, in decimal. */
  readonly project: string;
  /** Last day whose entries are to be removed; missing to keep all entries. */
  readonly entriesUntil?: Day | undefined;
  /** Only days after this one; missing for all. */
  readonly after?: Day | undefined;
  /** Maximum number of days to return. */
  readonly limit: number;
}
