import type { Day } from "../model/day.js";
import type { ExpiredDayQuery, ExpiredProject } from "../model/due-days.js";

/**
 * The end of old data. A day is first *sealed*: it takes no further events. What its events have left behind
 * beside its entries is then no longer needed, and goes once the day is not stale. Its entries stay, as
 * listed, until they are removed by request.
 */
export interface RetentionStore {
  /**
   * Seals all days up to and including `until`, of every project, even those without data: from then on
   * `append` leaves out their events. Events that were stored before still enter the delivery data. Sealed
   * days stay sealed.
   *
   * @throws StoreUnavailableError if the store cannot be reached. The days may have been sealed.
   */
  seal(until: Day): Promise<void>;

  /**
   * Lists the projects with days of which something is to be removed: what is kept for late events, of all
   * sealed days; and entries, of sealed days up to `entriesUntil`. Stale days are left out.
   *
   * @param entriesUntil missing to keep all entries.
   */
  expiredProjects(entriesUntil?: Day): Promise<readonly ExpiredProject[]>;

  /** Lists such days of a project, oldest first. */
  expiredDays(query: ExpiredDayQuery): Promise<readonly Day[]>;

  /**
   * Removes what {@link expiredProjects} describes from days: from as many, from the start of the list, as
   * are little work together, but from at least one. Days that are not sealed, or stale, stay as they are.
   * Other writes have their turn in between, however much a day has.
   *
   * @param days distinct days of the project; at least one.
   * @param entriesUntil missing to keep all entries.
   * @returns the number of days done.
   * @throws StoreUnavailableError if the store cannot be reached. Part may have been removed.
   */
  removeExpired(project: string, days: readonly Day[], entriesUntil?: Day): Promise<number>;
}
