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

/** The counts of an entry, as in the contract, in the order of {@link EntryColumns.counts}. */
export const COUNTS = DeliveryCountsSchema.fields.map(({ name }) => name as CountName);

/** Position of an entry in a list: newest day first, then app id and label, both in byte order. */
export interface EntryPosition {
  readonly day: Day;
  /** Missing in a list of one app. */
  readonly appId?: string;
  readonly label: string;
}

/** Rows of counts in columns, with the dimensions that they belong to. */
export interface CountColumns {
  readonly length: number;
  /** Missing if each row spans several days; likewise the two below. */
  readonly days?: ArrayLike<Day>;
  readonly appIds?: readonly string[];
  readonly labels?: readonly string[];
  /** One column for each of {@link COUNTS}; integers up to 2⁵³. */
  readonly counts: readonly Float64Array[];
}

/** Further columns of rows that another service gave, and that do not come from events. */
export interface OriginalColumns {
  /**
   * Each row as that service gave it, an `AndroidDeliveryData` in JSON. The counts of a row are those that follow from
   * its figures, and all 0 if its figures do not say how messages fared.
   */
  readonly originals?: readonly string[];
  /** Time at which each row was first given as it is, in milliseconds since 1970. */
  readonly fetchedAt?: ArrayLike<number>;
}

/** Entries in list order. */
export type EntryColumns = Required<CountColumns> & OriginalColumns;

/** Entries of one day, in any order, at most one for each app and label: either all with originals, or none. */
export type DayEntries = Omit<EntryColumns, "days">;

/**
 * Groups of entries in the order of {@link DeliveryDataStore.sumEntries}, with the dimensions they are
 * grouped by.
 */
export interface GroupColumns extends CountColumns {
  /**
   * Number of entries of each group that do not say how messages fared: those with no accepted message, since entries from events
   * have some. Missing unless asked for.
   */
  readonly withoutCounts?: Float64Array;
}

/** A property that entries can be grouped by. */
export type Dimension = "day" | "app" | "label";

/** A selection of entries. */
export interface EntrySelection {
  /** Project number, in decimal. */
  readonly project: string;
  /** Missing to select all apps of the project. */
  readonly appId?: string;
  /** Last day to include. */
  readonly until: Day;
  /** A further condition on the entries. */
  readonly filter?: EntryFilter;
}

/** A query for a page of entries. */
export interface EntryQuery extends EntrySelection {
  /** Start after this entry; missing to start at the beginning. */
  readonly after?: EntryPosition;
  /** Maximum number of entries to return. */
  readonly limit: number;
  /** Read {@link OriginalColumns} too. They are missing in batches with entries that come from events. */
  readonly originals?: boolean;
}

/** A query for sums of entries. */
export interface SumQuery extends EntrySelection {
  /** Empty to sum all entries into one group. */
  readonly groupBy: ReadonlySet<Dimension>;
  /** Maximum number of groups. */
  readonly limit: number;
  /** Count the entries {@link GroupColumns.withoutCounts}. */
  readonly originals?: boolean;
}

/** A query for the daily counts of an app. */
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

/** A query for the daily counts of an app by label. */
export interface HistoryQuery extends CountsQuery {
  /** Maximum number of labels: those with the most accepted messages. */
  readonly labels: number;
}

/** The counts of one label of an app by day, in columns. */
export interface LabelHistory {
  readonly label: string;
  /** The days that have an entry, ascending. */
  readonly days: Int32Array;
  /** One column for each of the counts of the query; integers up to 2⁵³. */
  readonly counts: readonly Float64Array[];
}

/** A query for a page of apps. */
export interface AppQuery {
  /** Project number, in decimal. */
  readonly project: string;
  /** Last day to include. */
  readonly until: Day;
  /** Start after this app id; missing to start at the beginning. */
  readonly after?: string;
  /** Maximum number of apps to return. */
  readonly limit: number;
}

/** An app with the range of days of its entries. */
export interface AppWithEntries {
  readonly appId: string;
  /** First and last day of its entries. */
  readonly firstDay: Day;
  readonly lastDay: Day;
}

/** The published delivery data, as readers see them: the results of rollups, and entries from elsewhere. */
export interface DeliveryDataStore {
  /**
   * Reads the entries of an app or a project: newest day first, then app id and label in byte order, the
   * empty label first. They come in batches of columns, which avoids an object for each entry. Every day
   * appears either as before a rollup or as after it.
   *
   * @param signal stops the read when it aborts, whether it waits or runs in the engine.
   * @throws StoreUnavailableError if the store cannot be reached, or the reason of `signal` once it has
   * aborted.
   */
  readEntries(query: EntryQuery, signal?: AbortSignal): Promise<readonly EntryColumns[]>;

  /**
   * Sums up entries inside the engine: one group for each combination of the dimensions that has entries,
   * newest day first, then app ids and labels in byte order, the empty label first. Sums below 2⁵³ are exact.
   *
   * @throws TooManyGroupsError if there are more groups than the limit, without using memory for each of
   * them; otherwise as {@link readEntries}.
   */
  sumEntries(query: SumQuery, signal?: AbortSignal): Promise<readonly GroupColumns[]>;

  /**
   * Reads the daily counts of the labels of an app, in byte order of the labels, the empty label first. The event loop
   * runs on meanwhile, however many rows there are.
   *
   * @throws as {@link readEntries}.
   */
  readHistories(query: HistoryQuery, signal?: AbortSignal): Promise<readonly LabelHistory[]>;

  /**
   * Returns a digest of the daily counts of all labels of an app, inside the engine: it is the same as long as they are.
   * It is compared with digests of the same query in the same process.
   *
   * @throws as {@link readEntries}.
   */
  digestCounts(query: CountsQuery, signal?: AbortSignal): Promise<string>;

  /**
   * Lists the apps of a project that have entries, in byte order of app ids.
   *
   * @throws as {@link readEntries}.
   */
  listApps(query: AppQuery, signal?: AbortSignal): Promise<readonly AppWithEntries[]>;

  /**
   * Replaces the entries of a day with entries that do not come from events of this store. Readers see the
   * day either before or after it. Events of the day stay as they are: a later rollup of the day replaces
   * these entries.
   *
   * @param project project number, in decimal.
   * @param entries all entries of the day, in batches; empty to remove the day.
   * @param fence fence of the lease under which the entries were found, for stores that several processes use.
   * @throws StoreUnavailableError if the store cannot be reached. The day may have been published.
   * @throws FencedError if another process has the lease by now. The day is not published.
   */
  publish(project: string, day: Day, entries: readonly DayEntries[], fence?: Fence): Promise<void>;

  /**
   * Returns the version of a project's entries up to and including the day `until`, at little cost. It
   * changes whenever one of these days is published or loses its entries, before the call that does so
   * settles, even if that fails and may have done so. Versions are comparable only with those of the same
   * project and `until` from the same object.
   *
   * @param project project number, in decimal.
   */
  version(project: string, until: Day): Promise<string>;
}

/** Comparison of two values: days in time, labels by their bytes. */
export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** A condition on the day and the label of entries. An entry without a label has the empty one. */
export type EntryFilter =
  /** All operands hold; true without operands. */
  | { readonly kind: "and"; readonly operands: readonly EntryFilter[] }
  /** At least one operand holds; false without operands. */
  | { readonly kind: "or"; readonly operands: readonly EntryFilter[] }
  | { readonly kind: "not"; readonly operand: EntryFilter }
  | { readonly kind: "day"; readonly comparison: Comparison; readonly day: Day }
  | { readonly kind: "label"; readonly comparison: Comparison; readonly label: string }
  /** The label consists of the pieces, at least two, with any text between them, or none. */
  | { readonly kind: "pattern"; readonly pieces: readonly string[] };
