import type { Day } from "../model/day.js";
import type { ExpiredDayQuery, ExpiredProject } from "../model/due-days.js";
import type { ProjectNumber } from "../model/names.js";

/**
 * Removes old data. A day is first *sealed*, so that it accepts no more events. When a sealed day is no longer stale,
 * the data from which its entries were computed is removed. The entries themselves stay until they are removed
 * explicitly.
 */
export interface RetentionStore {
  /**
   * Seals all days up to and including `until` in all projects, even days without data. From then on, `append` drops
   * their events. Events that are already stored still enter the delivery data. Sealing cannot be undone.
   *
   * @throws StoreUnavailableError if the store cannot be reached. The days may have been sealed.
   */
  seal(until: Day): Promise<void>;

  /**
   * Lists projects with expired data: message states of sealed days, and entries of sealed days up to `entriesUntil`.
   * Stale days are not included.
   *
   * @param entriesUntil last day of entries to remove; omitted to keep all entries.
   */
  expiredProjects(entriesUntil?: Day): Promise<readonly ExpiredProject[]>;

  /** Lists a project's days that have expired data, oldest first. */
  expiredDays(query: ExpiredDayQuery): Promise<readonly Day[]>;

  /**
   * Removes expired data ({@link expiredProjects}). Processes days from the start of `days`, as many as are cheap to
   * process together, but at least one. Skips days that are stale or not sealed. Large days do not block other writes.
   *
   * @param days distinct days of the project, at least one.
   * @param entriesUntil last day of entries to remove; omitted to keep all entries.
   * @returns the number of processed days.
   * @throws StoreUnavailableError if the store cannot be reached. Some data may have been removed.
   */
  removeExpired(project: ProjectNumber, days: readonly Day[], entriesUntil?: Day): Promise<number>;
}
