import type { EntryColumns, EntryPosition, EntryQuery } from "../../store/delivery-data-store.js";

/** Entries of a list, up to a place. */
export interface EntriesUpTo {
  readonly entries: readonly EntryColumns[];
  /** The place up to which the list was read, if it may go on there. */
  readonly end?: EntryPosition | undefined;
}

/** The delivery data as lists show them. */
export interface ListView {
  /** Distinguishes answers that differ although the days and their data are the same. */
  readonly key?: number;

  /**
   * Reads entries in the order of the list: fewer than the query's limit only at the end of the list, or with an `end`.
   *
   * @throws as `DeliveryDataStore.readEntries`.
   */
  readEntries(query: EntryQuery, signal?: AbortSignal): Promise<EntriesUpTo>;
}
