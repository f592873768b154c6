import type { ProjectNumber } from "../model/names.js";

/** Erases the data of deleted projects. */
export interface ErasureStore {
  /**
   * Erases some data of a deleted project: events, delivery data, mirror data, and names of apps and labels. Each call
   * is a small step, so that work for other projects can continue. Repeat the call until nothing is left, also after a
   * failure or a restart. Work that was in progress may add data later, and then needs more calls.
   *
   * @returns true if nothing was left.
   * @throws StoreUnavailableError if the store cannot be reached. Some data may have been erased.
   */
  erase(project: ProjectNumber): Promise<boolean>;
}
