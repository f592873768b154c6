import type { Fence } from "../control/lease-store.js";
import { MAX_PROJECT_APPS, MAX_PROJECT_LABELS } from "../limits/data-limits.js";
import type { Day } from "../model/day.js";
import type { ListedDays, StaleDayQuery, StaleProject } from "../model/due-days.js";
import type { NameLimits, ProjectNumber } from "../model/names.js";
import type { StateBlock } from "./state-block.js";

export const NAME_LIMITS: NameLimits = { maxApps: MAX_PROJECT_APPS, maxLabels: MAX_PROJECT_LABELS };

export interface Appended {
  /** Number of events that were dropped because their day is sealed. */
  readonly tooLate: number;
}

/**
 * Stores message events, and rolls them up to delivery data inside the engine. Storing an event twice has no effect on
 * a rollup. It is therefore safe to repeat an `append` with an unknown outcome.
 */
export interface MessageEventStore {
  /**
   * Stores events of one project, and marks their days as stale. When the call resolves, the events are on disk and
   * survive a crash. Events of sealed days are dropped and counted.
   *
   * @param signal cancels the append, unless its events are already being written.
   * @throws StoreUnavailableError if the store is full or cannot be reached. Some events may be stored; repeating the
   * call stores the others.
   * @throws TooManyNamesError if the events would exceed the limit on apps or labels in the project. Names that only
   * occur in dropped events do not count.
   * @throws the abort reason of `signal` if it cancelled the append. No events are stored then.
   */
  append(project: ProjectNumber, events: readonly StateBlock[], signal?: AbortSignal): Promise<Appended>;

  /** Returns true if no event has ever been stored. */
  isEmpty(): Promise<boolean>;

  /**
   * Lists projects that have stale days to roll up, including days that became stale before a restart.
   *
   * @param listed omitted if all stale days are due.
   */
  staleProjects(listed?: ListedDays): Promise<readonly StaleProject[]>;

  /**
   * Lists the stale days of a project that are due, newest first. The list is paged, because all of it may not fit into
   * memory.
   */
  staleDays(query: StaleDayQuery): Promise<readonly Day[]>;

  /**
   * Computes and publishes the delivery data of days, independently for each day (decisions: rollup). Processes days
   * from the start of `days`, as many as are cheap to process together, but at least one. A day is published in one
   * step. If events arrive during a rollup, their day stays stale.
   *
   * @param days distinct days of the project.
   * @param fence fence of the lease for this work, if several processes use the store.
   * @param signal cancels the rollup, unless its result is already being published.
   * @returns the number of processed days.
   * @throws StoreUnavailableError if the store cannot be reached. Any of the days may have been published.
   * @throws the abort reason of `signal` if it cancelled the rollup. No day is published then.
   * @throws FencedError if another process has the lease now. No day is published then.
   */
  rollUp(project: ProjectNumber, days: readonly Day[], fence?: Fence, signal?: AbortSignal): Promise<number>;

  /**
   * Duration of the last rollup in milliseconds, without failed attempts and pauses. Omitted if the store does not
   * retry rollups.
   */
  readonly rollUpMs?: number | undefined;

  /** True if a rollup counts all messages of a day again, even after a single new event. */
  readonly countsWholeDays?: boolean | undefined;
}
