import type { Day } from "../model/day.js";
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

/** Some counts, each with what it is of, in columns. */
export interface CountColumns {
  readonly length: number;
  /** Not there if the counts are of several days, as the two below. */
  readonly days?: ArrayLike<Day>;
  readonly appIds?: readonly string[];
  readonly labels?: readonly string[];
  /** One column for each of {@link COUNTS}; whole numbers up to 2⁵³. */
  readonly counts: readonly Float64Array[];
}

/** Some entries in the order of the list. */
export type EntryColumns = Required<CountColumns>;

/** Some groups of entries in the order of {@link DeliveryDataStore.sumEntries}: with the dimensions that they are of. */
export type GroupColumns = Omit<CountColumns, "appIds">;

/** What entries have in common that are summed up together. */
export type Dimension = "day" | "label";

/** Some of the entries. */
export interface EntrySelection {
  /** Project number, in decimal. */
  readonly project: string;
  /** All apps of the project if it is left out. */
  readonly appId?: string;
  /** The last day to include. */
  readonly until: Day;
  /** What must hold of the entries besides. */
  readonly filter?: EntryFilter;
}

/** Which entries to read. */
export interface EntryQuery extends EntrySelection {
  /** Read on behind this entry, which itself is not included; from the start if it is left out. */
  readonly after?: EntryPosition;
  /** The most entries to return. */
  readonly limit: number;
}

/** Which entries to sum up, and how. */
export interface SumQuery extends EntrySelection {
  /** One group for all entries if it is empty. */
  readonly groupBy: ReadonlySet<Dimension>;
  /** The most groups that there may be. */
  readonly limit: number;
}

/** Which apps to read. */
export interface AppQuery {
  /** Project number, in decimal. */
  readonly project: string;
  /** The last day to look at. */
  readonly until: Day;
  /** Read on behind this app id; from the start if it is left out. */
  readonly after?: string;
  /** The most apps to return. */
  readonly limit: number;
}

/** An app that has entries. */
export interface AppWithEntries {
  readonly appId: string;
  /** The first and the last day of its entries. */
  readonly firstDay: Day;
  readonly lastDay: Day;
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

  /**
   * Sums up entries inside the engine, exactly as long as a sum is below 2⁵³: a group for each combination of the
   * dimensions that has entries, newest day first, then by label in bytes, the empty label first.
   *
   * @throws TooManyGroupsError if there are more than the limit, which takes no memory for each of them; and as
   *   {@link readEntries}.
   */
  sumEntries(query: SumQuery, signal?: AbortSignal): Promise<readonly GroupColumns[]>;

  /**
   * The apps of a project that have entries, by app id in bytes.
   *
   * @throws as {@link readEntries}.
   */
  listApps(query: AppQuery, signal?: AbortSignal): Promise<readonly AppWithEntries[]>;

  /** Calls `listener` for each day that was, or after a failure may have been, published anew, before `rollUp` ends. */
  onPublished(listener: (published: ProjectDay) => void): void;
}
