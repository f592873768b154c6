import type { DeliveryDataStore } from "./delivery-data-store.js";
import type { ErasureStore } from "./erasure-store.js";
import type { MessageEventStore } from "./message-event-store.js";
import type { MirrorStore } from "./mirror-store.js";
import type { RetentionStore } from "./retention-store.js";

/** A storage engine for events and the delivery data computed from them. */
export interface Store
  extends MessageEventStore,
    DeliveryDataStore,
    MirrorStore,
    RetentionStore,
    ErasureStore {
  /** Checks that the store can serve requests. @throws the reason if it cannot. */
  check(): Promise<void>;
  /**
   * Returns true if enough database servers are available for an append.
   *
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  hasImportQuorum(): Promise<boolean>;
  /** Measures the store. This costs little. @throws StoreUnavailableError if the store cannot be reached. */
  figures(): Promise<StoreFigures>;
  /**
   * Writes a copy of all data at one moment to files that the engine can open. The copy includes everything that was
   * acknowledged before the call. Appends and reads continue during the copy. Stores without this method are backed up
   * with their database's own tools.
   *
   * @param directory an empty directory.
   * @param signal cancels the copy, and leaves an incomplete file.
   * @throws StoreUnavailableError if the copy cannot be completed.
   */
  snapshot?(directory: string, signal?: AbortSignal): Promise<void>;
  /** Completes pending writes and releases all resources. */
  close(): Promise<void>;
}

/** Size of a store and of its pending work. */
export interface StoreFigures {
  /** Bytes on disk by kind, such as `data`, `free` and `log`. The kinds depend on the engine. */
  readonly bytes: Readonly<Record<string, number>>;
  /**
   * Number of messages with stored states, once for each day with events. An engine may omit messages that are not
   * rolled up yet, or count them several times.
   */
  readonly messages: number;
  /** Number of events that have not been rolled up yet. */
  readonly waitingEvents: number;
  /** Number of days with such events, summed over projects. */
  readonly waitingDays: number;
  /** Time at which the oldest of these events was stored, in milliseconds since the Unix epoch. */
  readonly waitingSince: number | undefined;
  /** Number of sealed days with events, summed over projects. */
  readonly sealedDays: number;
}
