import type { CopiedRecord, HistoryEntry } from "./records.js";

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

  /** Adds records and their history as they are, with their revisions. Records from an earlier attempt are replaced. */
  addRecords(records: readonly CopiedRecord[], history: readonly HistoryEntry[]): Promise<void>;

  /** Returns the number of changes in the history of all records. */
  historyLength(): Promise<number>;

  /** Completes the copy: servers may use the data from now on. */
  complete(): Promise<void>;
}
