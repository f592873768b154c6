import type { ChangeRecord } from "./file/change-record.js";

/**
 * A copy of what another server has, into control data that know of no days yet. Until it is complete, servers do not
 * use them.
 */
export interface ControlCopy {
  /** Tells how far the copy is. */
  state(): Promise<"none" | "begun" | "complete">;

  /**
   * Begins the copy, or goes on with one of the same source.
   *
   * @param source digest of all that is copied.
   * @throws StoreOpenError if there are other data already, or another copy.
   */
  begin(source: string): Promise<void>;

  /** Adds changes of configurations as they are, in their order. Known ones stay. */
  addConfigChanges(changes: readonly ChangeRecord[]): Promise<void>;

  /** Completes the copy: servers may use the data from now on. */
  complete(): Promise<void>;
}
