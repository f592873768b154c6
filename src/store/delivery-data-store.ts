import type { Day } from "./day.js";
import type { ProjectDay } from "./message-event-store.js";

/** The counts of an entry in the order in which {@link EntryColumns.counts} has them, by name of the contract's field. */
export const COUNTS = [
  "count_messages_accepted",
  "count_notifications_accepted",
  "delivered",
  "pending",
  "collapsed",
  "dropped_too_many_pending_messages",
  "dropped_app_force_stopped",
  "dropped_device_inactive",
  "dropped_ttl_expired",
  "delivered_no_delay",
  "delayed_device_offline",
  "delayed_device_doze",
  "delayed_message_throttled",
  "delayed_user_stopped",
  "priority_lowered",
  "proxied",
  "failed",
  "skipped_unsupported",
  "skipped_not_throttled",
  "skipped_unconfigured",
  "skipped_opted_out",
] as const;

/** The name of a count. */
export type CountName = (typeof COUNTS)[number];

/** Where an entry stands in the order of the list: newest day first, then by label in bytes. */
export interface EntryPosition {
  readonly day: Day;
  readonly label: string;
}

/** Some entries of one app, in the order of the list, in columns. */
export interface EntryColumns {
  readonly length: number;
  readonly days: ArrayLike<Day>;
  readonly labels: readonly string[];
  /** One column for each of {@link COUNTS}; whole numbers up to 2⁵³. */
  readonly counts: readonly Float64Array[];
}

/** Which entries to read. */
export interface EntryQuery {
  /** Project number, in decimal. */
  readonly project: string;
  readonly appId: string;
  /** The last day to include. */
  readonly until: Day;
  /** Read on behind this entry, which itself is not included; from the start if it is left out. */
  readonly after?: EntryPosition;
  /** The most entries to return. */
  readonly limit: number;
}

/** The published delivery data: what the rollups made, as readers see it. */
export interface DeliveryDataStore {
  /**
   * The entries of an app: newest day first, then by label in bytes, the empty one first. They come in batches of
   * columns, so that none becomes an object on its way out. A day is seen either as before a rollup or as after it.
   *
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  readEntries(query: EntryQuery): Promise<readonly EntryColumns[]>;

  /** Calls `listener` for each day that was, or after a failure may have been, published anew, before `rollUp` ends. */
  onPublished(listener: (published: ProjectDay) => void): void;
}
