import type { DeliveryDataStore } from "./delivery-data-store.js";
import type { MessageEventStore } from "./message-event-store.js";

/** One engine that keeps both the events and the delivery data computed from them. */
export interface Store extends MessageEventStore, DeliveryDataStore {
  /** Rejects with the reason while the store cannot serve. */
  check(): Promise<void>;
  /** Finishes what is being written and lets go of the data. */
  close(): Promise<void>;
}
