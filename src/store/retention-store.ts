import type { Day } from "../model/day.js";
import type { ExpiredDayQuery, ExpiredProject } from "../model/due-days.js";

/**
 * Removal of old data. A day is first *sealed*: it accepts no more events. Once it is not stale, the data from
 * which its entries were computed is removed. Its entries remain until they are removed explicitly.
 */
export interface RetentionStore {
  /**
   * Seals all days up to and including `until`, in all projects, even without data. From then on, `append` drops
   * their events. Events that are already stored still enter the delivery data. Sealing cannot be undone.
   *
   * @throws StoreUnavailableError if the store cannot be reached. The days may have been sealed.
   */
  seal(until: Day): Promise<void>;

  /**
   * Lists projects with expired data: message states of sealed days, and entries of sealed days up to
   * `entriesUntil`. Stale days are excluded.
   *
   * @param entriesUntil omitted to keep all entries.
   */
  expiredProjects(entriesUntil?: Day): Promise<readonly ExpiredProject[]>;

  /** Lists days of a project with expired data, oldest first. */
  expiredDays(query: ExpiredDayQuery): Promise<readonly Day[]>;

  /**
   * Removes expired data ({@link expiredProjects}). Works on as many days, from the start of `days`, as are cheap
   * to remove together, but at least on one. Skips days that are stale or not sealed. Large days do not block other
   * writes.
   *
   * @param days at least one day of the project, without duplicates.
   * @param entriesUntil omitted to keep all entries.
   * @returns the number of days that are done.
   * @throws StoreUnavailableError if the store cannot be reached. Some data may have been removed.
   */
  removeExpired(project: string, days: readonly Day[], entriesUntil?: Day): Promise<number>;
}
