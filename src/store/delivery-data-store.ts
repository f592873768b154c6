import type { Fence } from "../control/lease-store.js";
import {
  type DeliveryCounts,
  DeliveryCountsSchema,
} from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type { Day } from "../model/day.js";

/** Name of a count in the contract, such as `delivered_no_delay`. */
export type CountName = SnakeCase<Exclude<keyof DeliveryCounts, "$typeName" | "$unknown">>;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** Names of all counts, in contract order. {@link EntryColumns.counts} has the same order. */
export const COUNTS = DeliveryCountsSchema.fields.map(({ name }) => name as CountName);

/** Position of an entry in a list. Lists are sorted by day (newest first), then app id and label in byte order. */
export interface EntryPosition {
  readonly day: Day;
  /** Omitted in a list of one app. */
  readonly appId?: string;
  readonly label: string;
}

/** Counts in columns, with the dimensions of each row. */
export interface CountColumns {
  readonly length: number;
  /** Each dimension is omitted if rows span several of its values. */
  readonly days?: ArrayLike<Day>;
  readonly appIds?: readonly string[];
  readonly labels?: readonly string[];
  /** One column per entry in {@link COUNTS}, with integers up to 2⁵³. */
  readonly counts: readonly Float64Array[];
}

/** Additional columns of mirrored rows, which come from upstream instead of events. */
export interface OriginalColumns {
  /**
   * Each row as upstream sent it: an `AndroidDeliveryData` in JSON. Counts are derived from its figures. They are
   * all 0 if the figures contain no outcomes.
   */
  readonly originals?: readonly string[];
  /** Time of the first response with this text for each row, in milliseconds since 1970. */
  readonly fetchedAt?: ArrayLike<number>;
}

/** Entries in list order. */
export type EntryColumns = Required<CountColumns> & OriginalColumns;

/**
 * Entries of one day, in any order, with at most one per app and label. Either all of them have originals, or none.
 */
export type DayEntries = Omit<EntryColumns, "days">;

/** Groups of entries with their dimensions, in the order of {@link DeliveryDataStore.sumEntries}. */
export interface GroupColumns extends CountColumns {
  /**
   * Number of entries in each group without an accepted message. Only mirrored entries can have none. Omitted
   * unless requested.
   */
  readonly withoutCounts?: Float64Array;
}

/** A property that entries can be grouped by. */
export type Dimension = "day" | "app" | "label";

/** A selection of entries. */
export interface EntrySelection {
  /** Project number, in decimal. */
  readonly project: string;
  /** Omitted to select all apps of the project. */
  readonly appId?: string;
  /** Last day to include. */
  readonly until: Day;
  /** A further condition on the entries. */
  readonly filter?: EntryFilter;
}

/** A query for a page of entries. */
export interface EntryQuery extends EntrySelection {
  /** Start after this entry. Omitted to start at the beginning. */
  readonly after?: EntryPosition;
  /** Maximum number of entries to return. */
  readonly limit: number;
  /** Also read {@link OriginalColumns}. Batches with entries from events omit them. */
  readonly originals?: boolean;
}

/** A query for sums of entries. */
export interface SumQuery extends EntrySelection {
  /** Empty to sum all entries into one group. */
  readonly groupBy: ReadonlySet<Dimension>;
  /** Maximum number of groups. */
  readonly limit: number;
  /** Also count {@link GroupColumns.withoutCounts}. */
  readonly originals?: boolean;
}

/** A query for an app's daily counts. */
export interface CountsQuery {
  /** Project number, in decimal. */
  readonly project: string;
  readonly appId: string;
  /** First and last day to include. */
  readonly since: Day;
  readonly until: Day;
  /** The counts to read. */
  readonly counts: readonly CountName[];
}

/** A query for an app's daily counts by label. */
export interface HistoryQuery extends CountsQuery {
  /** Maximum number of labels. Labels with the most accepted messages are preferred. */
  readonly labels: number;
}

/** Daily counts of one label of an app, in columns. */
export interface LabelHistory {
  readonly label: string;
  /** Days with an entry, ascending. */
  readonly days: Int32Array;
  /** One column per count in the query, with integers up to 2⁵³. */
  readonly counts: readonly Float64Array[];
}

/** A query for a page of apps. */
export interface AppQuery {
  /** Project number, in decimal. */
  readonly project: string;
  /** Last day to include. */
  readonly until: Day;
  /** Start after this app id. Omitted to start at the beginning. */
  readonly after?: string;
  /** Maximum number of apps to return. */
  readonly limit: number;
}

/** An app with the first and last day of its entries. */
export interface AppWithEntries {
  readonly appId: string;
  readonly firstDay: Day;
  readonly lastDay: Day;
}

/** Published delivery data: the results of rollups, and mirrored entries. */
export interface DeliveryDataStore {
  /**
   * Reads entries of an app or project, sorted by day (newest first), then app id and label in byte order. The
   * empty label comes first. Results are batches of columns, which avoids one object per entry. Rollups are atomic:
   * each day is read either before or after a concurrent one.
   *
   * @param signal cancels the read, whether it is queued or running in the engine.
   * @throws StoreUnavailableError if the store cannot be reached, or the reason of `signal` after an abort.
   */
  readEntries(query: EntryQuery, signal?: AbortSignal): Promise<readonly EntryColumns[]>;

  /**
   * Sums entries inside the engine. Returns one group per combination of dimensions with entries, sorted like
   * {@link readEntries}. Sums below 2⁵³ are exact.
   *
   * @throws TooManyGroupsError if there are more groups than the limit. Memory use does not grow with the number of
   *   groups. Other errors as in {@link readEntries}.
   */
  sumEntries(query: SumQuery, signal?: AbortSignal): Promise<readonly GroupColumns[]>;

  /**
   * Reads daily counts by label of an app, sorted by label in byte order. The empty label comes first. Large
   * results do not block the event loop.
   *
   * @throws the same errors as {@link readEntries}.
   */
  readHistories(query: HistoryQuery, signal?: AbortSignal): Promise<readonly LabelHistory[]>;

  /**
   * Computes a digest of an app's daily counts inside the engine. It changes when a count changes. Compare it only
   * with digests of the same query in the same process.
   *
   * @throws the same errors as {@link readEntries}.
   */
  digestCounts(query: CountsQuery, signal?: AbortSignal): Promise<string>;

  /**
   * Lists a project's apps with entries, in byte order of app ids.
   *
   * @throws the same errors as {@link readEntries}.
   */
  listApps(query: AppQuery, signal?: AbortSignal): Promise<readonly AppWithEntries[]>;

  /**
   * Replaces a day's entries with entries that do not come from events in this store. Readers see the day
   * either before or after the call. Events of the day are kept: its next rollup replaces these entries.
   *
   * @param project project number, in decimal.
   * @param entries all entries of the day, in batches. Empty to remove the day.
   * @param fence fence of the lease that covers this work, for stores that several processes use.
   * @throws StoreUnavailableError if the store cannot be reached. The day may have been published.
   * @throws FencedError if another process holds the lease by now. The day is not published.
   */
  publish(project: string, day: Day, entries: readonly DayEntries[], fence?: Fence): Promise<void>;

  /**
   * Returns a version for a project's entries up to and including `until`, at little cost. It changes before a
   * call settles that published one of these days, removed its entries, or failed and may have done so. Compare it
   * only with versions of the same project and `until` from the same object.
   *
   * @param project project number, in decimal.
   */
  version(project: string, until: Day): Promise<string>;
}

/** Days compare by time, labels by their bytes. */
export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** A condition on the day and label of an entry. The label is empty for entries without one. */
export type EntryFilter =
  /** True if all operands are true, or if there are none. */
  | { readonly kind: "and"; readonly operands: readonly EntryFilter[] }
  /** True if at least one operand is true. */
  | { readonly kind: "or"; readonly operands: readonly EntryFilter[] }
  | { readonly kind: "not"; readonly operand: EntryFilter }
  | { readonly kind: "day"; readonly comparison: Comparison; readonly day: Day }
  | { readonly kind: "label"; readonly comparison: Comparison; readonly label: string }
  /**
   * True for labels that consist of these pieces with any text in between, possibly empty. There are at least two
   * pieces.
   */
  | { readonly kind: "pattern"; readonly pieces: readonly string[] };
