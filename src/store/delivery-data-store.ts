import type { Day } from "./day.js";
import type { EntryFilter } from "./entry-filter.js";
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

/** Where an entry stands in the order of a list: newest day first, then by app id and by label, both in bytes. */
export interface EntryPosition {
  readonly day: Day;
  /** Left out in a list of one app. */
  readonly appId?: string;
  readonly label: string;
}

/** Some entries in the order of the list, in columns. */
export interface EntryColumns {
  readonly length: number;
  readonly days: ArrayLike<Day>;
  readonly appIds: readonly string[];
  readonly labels: readonly string[];
  /** One column for each of {@link COUNTS}; whole numbers up to 2⁵³. */
  readonly counts: readonly Float64Array[];
}

/** Which entries to read. */
export interface EntryQuery {
  /** Project number, in decimal. */
  readonly project: string;
  /** All apps of the project if it is left out. */
  readonly appId?: string;
  /** The last day to include. */
  readonly until: Day;
  /** What must hold of the entries besides. */
  readonly filter?: EntryFilter;
  /** Read on behind this entry, which itself is not included; from the start if it is left out. */
  readonly after?: EntryPosition;
  /** The most entries to return. */
  readonly limit: number;
}

/** The published delivery data: what the rollups made, as readers see it. */
export interface DeliveryDataStore {
  /**
   * The entries of an app or a project: newest day first, then by app id and by label in bytes, the empty label first.
   * They come in batches of columns, so that none becomes an object on its way out. A day is seen either as before a
   * rollup or as after it.
   *
   * @param signal ends the reading when it aborts: what waits or runs in the engine is given up.
   * @throws StoreUnavailableError if the store cannot be reached; the reason of `signal` once it has aborted.
   */
  readEntries(query: EntryQuery, signal?: AbortSignal): Promise<readonly EntryColumns[]>;

  /** Calls `listener` for each day that was, or after a failure may have been, published anew, before `rollUp` ends. */
  onPublished(listener: (published: ProjectDay) => void): void;
}
