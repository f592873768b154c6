import type { Fence } from "../control/lease-store.js";
import { MAX_PROJECT_APPS, MAX_PROJECT_LABELS } from "../limits/limits.js";
import type { Day } from "../model/day.js";
import type { ListedDays, StaleDayQuery, StaleProject } from "../model/due-days.js";
import type { NameLimits } from "../model/names.js";
import type { StateBlock } from "./state-block.js";

/** Default name limits. */
export const NAME_LIMITS: NameLimits = { maxApps: MAX_PROJECT_APPS, maxLabels: MAX_PROJECT_LABELS };

/** Result of storing events. */
export interface Appended {
  /** Number of events that were dropped because their day is sealed. */
  readonly tooLate: number;
}

/**
 * Message events, and their rollup into delivery data inside the engine. Events are a set: duplicates do not change
 * the rollup. It is therefore safe to repeat an `append` with an unknown outcome.
 */
export interface MessageEventStore {
  /**
   * Stores events of one project and marks their days as stale. When the call resolves, the events are on disk and
   * survive a crash. Events of sealed days are dropped and counted.
   *
   * @param signal cancels the append unless its events are already being written.
   * @throws StoreUnavailableError if the store is full or cannot be reached. Some events may be stored. Repeat the
   *   call to store the others.
   * @throws TooManyNamesError if the events would exceed the maximum number of apps or labels per project. Names
   *   that occur only in dropped events do not count.
   * @throws the reason of `signal` if it cancelled the append. No events are stored.
   */
  append(project: string, events: readonly StateBlock[], signal?: AbortSignal): Promise<Appended>;

  /** Returns true if no event was ever stored. */
  isEmpty(): Promise<boolean>;

  /**
   * Lists projects with stale days that are due, including days from before a restart.
   *
   * @param listed omitted if all stale days are due.
   */
  staleProjects(listed?: ListedDays): Promise<readonly StaleProject[]>;

  /**
   * Lists stale days of a project that are due, newest first. The list is paged because it may not fit in memory.
   */
  staleDays(query: StaleDayQuery): Promise<readonly Day[]>;

  /**
   * Computes and publishes delivery data of days, independently for each day (decisions: rollup). Works on as many
   * days, from the start of `days`, as are cheap to roll up together, but at least on one. Each day is published
   * as a whole. A day stays stale if events arrive during its rollup.
   *
   * @param days distinct days of the project.
   * @param fence fence of the lease that covers this rollup, for stores that several processes use.
   * @param signal cancels the rollup unless it is already being published.
   * @returns the number of days rolled up.
   * @throws StoreUnavailableError if the store cannot be reached. Any of the days may have been published.
   * @throws the reason of `signal` if it cancelled the rollup. No day is published.
   * @throws FencedError if another process holds the lease by now. No day is published.
   */
  rollUp(project: string, days: readonly Day[], fence?: Fence, signal?: AbortSignal): Promise<number>;

  /**
   * Duration of the last rollup in milliseconds, without failed attempts and pauses. Undefined if the store does
   * not retry.
   */
  readonly rollUpMs?: number | undefined;

  /** True if a rollup recounts all messages of a day, even for a single new event. */
  readonly countsWholeDays?: boolean | undefined;
}
