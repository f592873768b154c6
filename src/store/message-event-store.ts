import type { Day } from "../model/day.js";
import type { EventBlock } from "./event-block.js";

/** A project's backlog of rollups. A day is stale if its events have changed since its last rollup. */
export interface StaleProject {
  /** Project number, in decimal. */
  readonly project: string;
  /** Number of stale days. */
  readonly days: number;
  /** Time at which the oldest unprocessed change was stored, in milliseconds since the Unix epoch. */
  readonly since: number;
}

/** A query for stale days. */
export interface StaleDayQuery {
  /** Project number, in decimal. */
  readonly project: string;
  /** Only days before this one; missing for all. */
  readonly before?: Day | undefined;
  /** Maximum number of days to return. */
  readonly limit: number;
}

/**
 * The message events, and their rollup into delivery data inside the store's engine. Events are a set:
 * storing one again does not change the rollup, which makes it safe to repeat an `append` with an unknown
 * outcome.
 */
export interface MessageEventStore {
  /**
   * Stores the events of one project, all or none, and marks their days as stale. When it resolves, the
   * events are on disk and survive a crash.
   *
   * @param signal cancels the append when it aborts, unless the events are already being written.
   * @throws StoreUnavailableError if the store cannot be reached or is full. The events may or may not be
   * stored.
   * @throws the reason of `signal` if it cancelled the append. None of the events are stored.
   */
  append(project: string, events: readonly EventBlock[], signal?: AbortSignal): Promise<void>;

  /** Returns true if no event was ever stored. */
  isEmpty(): Promise<boolean>;

  /** Lists the projects with stale days, including those from before a restart. */
  staleProjects(): Promise<readonly StaleProject[]>;

  /**
   * Lists stale days of a project, newest first, a limited number at a time: all of them may not fit in
   * memory.
   */
  staleDays(query: StaleDayQuery): Promise<readonly Day[]>;

  /**
   * Computes and publishes the delivery data of days: of as many, from the start of the list, as are little
   * work together, but of at least one. Each day is computed from the set of its own events (decisions:
   * rollup), independently of the days rolled up with it, and published as a whole. A day stays stale if
   * events arrive meanwhile.
   *
   * @param days distinct days of the project.
   * @returns the number of days rolled up.
   * @throws StoreUnavailableError if the store cannot be reached. Any of the days may have been published.
   */
  rollUp(project: string, days: readonly Day[]): Promise<number>;
}
