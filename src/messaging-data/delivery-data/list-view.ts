import type { DeliveryDataStore } from "../../store/delivery-data-store.js";

/** The delivery data as lists show them. */
export interface ListView extends Pick<DeliveryDataStore, "readEntries"> {
  /** What entries depend on besides the days and their data: answers with another key are not the same. */
  readonly key?: number;
}
