import type { DeliveryDataStore } from "./delivery-data-store.js";
import type { MessageEventStore } from "./message-event-store.js";
import type { MirrorStore } from "./mirror-store.js";
import type { RetentionStore } from "./retention-store.js";
import type { StoreFigures } from "./store-figures.js";

/** An engine that keeps both the events and the delivery data computed from them. */
export interface Store extends MessageEventStore, DeliveryDataStore, MirrorStore, RetentionStore {
  /** Checks the store. @throws the reason if it cannot serve. */
  check(): Promise<void>;
  /**
   * Returns true if an append would find as many servers as it needs.
   *
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  hasImportQuorum(): Promise<boolean>;
  /**
   * Measures the store, at little cost.
   *
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  figures(): Promise<StoreFigures>;
  /**
   * Copies all events, states and entries as of one moment into files that the engine can open. Appends and reads continue. The copy has everything that was acknowledged before the call. Stores without this capability are backed up
   * with the tools of their databases.
   *
   * @param directory an empty directory.
   * @param signal cancels the copy when it aborts, and leaves part of it.
   * @throws StoreUnavailableError if the copy cannot be completed.
   */
  snapshot?(directory: string, signal?: AbortSignal): Promise<void>;
  /** Completes pending writes and releases the data. */
  close(): Promise<void>;
}
