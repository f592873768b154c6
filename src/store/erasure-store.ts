import type { ProjectNumber } from "../model/names.js";

/** Erasure of deleted projects. */
export interface ErasureStore {
  /**
   * Erases some data of a deleted project: events, delivery data, mirror data, and names of apps and labels. Each call
   * is one small step, so that other projects' work continues. Repeat it until nothing is left, also after a failure
   * or a restart. Work in progress may add data later, which needs more calls.
   *
   * @returns true if nothing was left.
   * @throws StoreUnavailableError if the store cannot be reached. Some data may have been erased.
   */
  erase(project: ProjectNumber): Promise<boolean>;
}
