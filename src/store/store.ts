import type { DeliveryDataStore } from "./delivery-data-store.js";
import type { MessageEventStore } from "./message-event-store.js";
import type { MirrorStore } from "./mirror-store.js";
import type { RetentionStore } from "./retention-store.js";

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

/** Size of a store and of its unfinished work. */
export interface StoreFigures {
  /** Bytes on disk by kind, such as `data`, `free` and `log`; the kinds are those of the engine. */
  readonly bytes: Readonly<Record<string, number>>;
  /**
   * Number of states of messages, one for each message and day; more while an engine has not merged all of what it has
   * of a message.
   */
  readonly messages: number;
  /** Number of events that are not merged into states yet. */
  readonly waitingEvents: number;
  /** Number of days of projects with such events. */
  readonly waitingDays: number;
  /** Time at which the oldest of these events was stored, in milliseconds since the Unix epoch. */
  readonly waitingSince: number | undefined;
  /** Number of days of projects that are sealed, among those that had events. */
  readonly sealedDays: number;
}
