import type { Fence } from "../control/lease-store.js";
import { MAX_PROJECT_APPS, MAX_PROJECT_LABELS } from "../limits/limits.js";
import type { Day } from "../model/day.js";
import type { ListedDays, StaleDayQuery, StaleProject } from "../model/due-days.js";
import type { NameLimits } from "../model/names.js";
import type { StateBlock } from "./state-block.js";

/** The limits of stores that are opened without any. */
export const NAME_LIMITS: NameLimits = { maxApps: MAX_PROJECT_APPS, maxLabels: MAX_PROJECT_LABELS };

/** Result of storing events. */
export interface Appended {
  /** Number of events that were left out because their day is sealed. */
  readonly tooLate: number;
}

/**
 * The message events, and their rollup into delivery data inside the store's engine. Events are a set:
 * storing one again does not change the rollup, which makes it safe to repeat an `append` with an unknown
 * outcome.
 */
export interface MessageEventStore {
  /**
   * Stores the events of one project, and marks their days as stale. When it resolves, the
   * events are on disk and survive a crash. Events of sealed days are left out and counted.
   *
   * @param signal cancels the append when it aborts, unless the events are already being written.
   * @throws StoreUnavailableError if the store cannot be reached or is full. Some of the events may be stored: the
   * same call again completes them.
   * @throws TooManyNamesError if the events would give the project more apps or labels than it may have. Names of events that are
   * left out do not count.
   * @throws the reason of `signal` if it cancelled the append. None of the events are stored.
   */
  append(project: string, events: readonly StateBlock[], signal?: AbortSignal): Promise<Appended>;

  /** Returns true if no event was ever stored. */
  isEmpty(): Promise<boolean>;

  /**
   * Lists the projects with stale days that are due, including those from before a restart.
   *
   * @param listed missing if all stale days are due.
   */
  staleProjects(listed?: ListedDays): Promise<readonly StaleProject[]>;

  /**
   * Lists stale days of a project that are due, newest first, a limited number at a time: all of them may not
   * fit in memory.
   */
  staleDays(query: StaleDayQuery): Promise<readonly Day[]>;

  /**
   * Computes and publishes the delivery data of days: of as many, from the start of the list, as are little
   * work together, but of at least one. Each day is computed from the set of its own events (decisions:
   * rollup), independently of the days rolled up with it, and published as a whole. A day stays stale if
   * events arrive meanwhile.
   *
   * @param days distinct days of the project.
   * @param fence fence of the lease under which the days are rolled up, for stores that several processes use.
   * @param signal stops the rollup when it aborts, unless it is already being published.
   * @returns the number of days rolled up.
   * @throws StoreUnavailableError if the store cannot be reached. Any of the days may have been published.
   * @throws the reason of `signal` if it stopped the rollup. None of the days are published.
   * @throws FencedError if another process has the lease by now. None of the days are published.
   */
  rollUp(project: string, days: readonly Day[], fence?: Fence, signal?: AbortSignal): Promise<number>;

  /**
   * Time of the last rollup without failed attempts and the pauses after them, in milliseconds; undefined if there are
   * no such attempts.
   */
  readonly rollUpMs?: number | undefined;

  /** True if a rollup costs as much for one new event of a day as for all of them: it counts the whole day again. */
  readonly countsWholeDays?: boolean | undefined;
}
