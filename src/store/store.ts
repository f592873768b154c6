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
  /** Checks the store. @throws the reason if it cannot serve requests. */
  check(): Promise<void>;
  /**
   * Returns true if enough servers are available for an append.
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
   * Copies all data as of one moment into files that the engine can open. The copy includes everything acknowledged
   * before the call. Appends and reads continue. Stores without this method are backed up with their database's own
   * tools.
   *
   * @param directory an empty directory.
   * @param signal cancels the copy, and leaves an incomplete file.
   * @throws StoreUnavailableError if the copy cannot be completed.
   */
  snapshot?(directory: string, signal?: AbortSignal): Promise<void>;
  /** Completes pending writes and releases all resources. */
  close(): Promise<void>;
}

/** Size of a store, and of its pending work. */
export interface StoreFigures {
  /** Bytes on disk by kind, such as `data`, `free` and `log`. Kinds depend on the engine. */
  readonly bytes: Readonly<Record<string, number>>;
  /** Number of message states, one per message and day. An engine with unmerged partial states may report more. */
  readonly messages: number;
  /** Number of events that are not rolled up yet. */
  readonly waitingEvents: number;
  /** Number of days with such events, across all projects. */
  readonly waitingDays: number;
  /** Time at which the oldest of these events was stored, in milliseconds since the Unix epoch. */
  readonly waitingSince: number | undefined;
  /** Number of sealed days with events, across all projects. */
  readonly sealedDays: number;
}
