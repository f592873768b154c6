import type { DeliveryDataStore } from "./delivery-data-store.js";
import type { MessageEventStore } from "./message-event-store.js";

/** An engine that keeps both the events and the delivery data computed from them. */
export interface Store extends MessageEventStore, DeliveryDataStore {
  /** Checks the store. @throws the reason if it cannot serve. */
  check(): Promise<void>;
  /** Completes pending writes and releases the data. */
  close(): Promise<void>;
}
