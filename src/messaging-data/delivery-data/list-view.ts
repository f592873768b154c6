import type { DeliveryDataStore } from "../../store/delivery-data-store.js";

/** The delivery data as lists show them. */
export interface ListView extends Pick<DeliveryDataStore, "readEntries"> {
  /** Distinguishes answers that differ although the days and their data are the same. */
  readonly key?: number;
}
