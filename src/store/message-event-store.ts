import type { Day } from "../model/day.js";
import type { EventBlock } from "./event-block.js";

/** One day of one project: what is published as a whole. */
export interface ProjectDay {
  /** Project number, in decimal. */
  readonly project: string;
  readonly day: Day;
}

/** What has to be rolled up of a project: its stale days are those whose events have changed since their last rollup. */
export interface StaleProject {
  /** Project number, in decimal. */
  readonly project: string;
  /** How many days are stale. */
  readonly days: number;
  /** When the oldest of those changes was stored, in milliseconds since the Unix epoch. */
  readonly since: number;
}

/** Which stale days to tell. */
export interface StaleDayQuery {
  /** Project number, in decimal. */
  readonly project: string;
  /** Only days before this one; all if it is left out. */
  readonly before?: Day | undefined;
  /** The most days to return. */
  readonly limit: number;
}

/**
 * The message events, and their rollup into delivery data inside the store's engine. Events are a set: storing one
 * again changes nothing that the rollup sees, so an `append` whose outcome is unknown may be repeated.
 */
export interface MessageEventStore {
  /**
   * Stores the events of one project, all or none. When it resolves they are on disk and survive any crash, and their
   * days are stale.
   *
   * @param signal gives it up when it aborts, unless the events are being written already.
   * @throws StoreUnavailableError if the store cannot be reached or is full. The events may or may not be stored.
   * @throws the reason of `signal` if it has given up. None of the events are stored.
   */
  append(project: string, events: readonly EventBlock[], signal?: AbortSignal): Promise<void>;

  /** Whether no event was ever stored. */
  isEmpty(): Promise<boolean>;

  /** The projects that have stale days, also from before a restart. */
  staleProjects(): Promise<readonly StaleProject[]>;

  /** Some stale days of a project, newest first: there may be far more of them than anybody should hold in memory. */
  staleDays(query: StaleDayQuery): Promise<readonly Day[]>;

  /**
   * Computes the delivery data of the first of the given days, of as many as are little work together but of one at least.
   * Each is computed from the set of its own events (decisions: rollup) and published as a whole; the result is the same
   * in whatever company. A day stays stale if events came in meanwhile.
   *
   * @param days different days of the project.
   * @returns how many of the days it was.
   * @throws StoreUnavailableError if the store cannot be reached. Any of the days may have been published.
   */
  rollUp(project: string, days: readonly Day[]): Promise<number>;
}
