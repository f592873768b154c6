import type { Fence } from "../control/lease-store.js";
import {
  type DeliveryCounts,
  DeliveryCountsSchema,
} from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type { Day } from "../model/day.js";
import type { ProjectNumber } from "../model/names.js";

/** Name of a count, as in the contract, such as `delivered_no_delay`. */
export type CountName = SnakeCase<Exclude<keyof DeliveryCounts, "$typeName" | "$unknown">>;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** Names of all counts, in contract order. The columns in {@link EntryColumns.counts} have the same order. */
export const COUNTS = DeliveryCountsSchema.fields.map(({ name }) => name as CountName);

/** Position of an entry in a list. Lists are sorted by day (newest first), then by app id and label in byte order. */
export interface EntryPosition {
  readonly day: Day;
  /** Omitted if the list has only one app. */
  readonly appId?: string;
  readonly label: string;
}

/** Counts in columns, with columns for the dimensions of each row. */
export interface CountColumns {
  readonly length: number;
  /** Days of the rows. A dimension is omitted if rows are sums over several of its values. */
  readonly days?: ArrayLike<Day>;
  readonly appIds?: readonly string[];
  readonly labels?: readonly string[];
  /** One column for each name in {@link COUNTS}. Values are integers up to 2⁵³. */
  readonly counts: readonly Float64Array[];
}

/** Additional columns of mirrored rows, which were received from an upstream service. */
export interface OriginalColumns {
  /**
   * The `AndroidDeliveryData` in JSON that upstream sent for each row. The row's counts are derived from its figures.
   * All counts are 0 if the figures contain no outcomes.
   */
  readonly originals?: readonly string[];
  /** Time of the first response with this JSON, for each row, in milliseconds since 1970. */
  readonly fetchedAt?: ArrayLike<number>;
}

/** Entries in list order. */
export type EntryColumns = Required<CountColumns> & OriginalColumns;

/** Entries of one day in any order, at most one for each app and label. Either all entries have originals, or none. */
export type DayEntries = Omit<EntryColumns, "days">;

/**
 * Maximum number of days that are published in one step. ClickHouse rejects an insert into more partitions, and days that
 * are far apart are in different partitions.
 */
export const MAX_PUBLISHED_DAYS = 100;

/** A day to publish. */
export interface PublishedDay {
  readonly day: Day;
  /** All entries of the day, in batches. Without entries, the day is removed. */
  readonly entries: readonly DayEntries[];
}

/** Groups of entries with their dimensions, sorted as {@link DeliveryDataStore.sumEntries} returns them. */
export interface GroupColumns extends CountColumns {
  /**
   * Number of entries without accepted messages, for each group. Only mirrored entries can be without them. Omitted
   * unless requested.
   */
  readonly withoutCounts?: Float64Array;
}

/** A property that entries can be grouped by. */
export type Dimension = "day" | "app" | "label";

export interface EntrySelection {
  readonly project: ProjectNumber;
  /** App to select. If omitted, selects all apps of the project. */
  readonly appId?: string;
  /** Last day to select. */
  readonly until: Day;
  readonly filter?: EntryFilter;
}

export interface EntryQuery extends EntrySelection {
  /** Position after which to start. If omitted, starts at the first entry. */
  readonly after?: EntryPosition;
  readonly limit: number;
  /** True to read {@link OriginalColumns}, too. Batches with entries from events never have them. */
  readonly originals?: boolean;
}

export interface SumQuery extends EntrySelection {
  /** Dimensions to group by. If empty, all entries are summed into one group. */
  readonly groupBy: ReadonlySet<Dimension>;
  readonly limit: number;
  /** True to count {@link GroupColumns.withoutCounts}, too. */
  readonly originals?: boolean;
}

export interface CountsQuery {
  readonly project: ProjectNumber;
  readonly appId: string;
  /** First and last day to select. */
  readonly since: Day;
  readonly until: Day;
  readonly counts: readonly CountName[];
}

/** A query for an app's daily counts by label. */
export interface HistoryQuery extends CountsQuery {
  /** Maximum number of labels to read. The labels with the most accepted messages are selected. */
  readonly labels: number;
}

/** Daily counts of one label of an app, in columns. */
export interface LabelHistory {
  readonly label: string;
  /** Days with an entry, in ascending order. */
  readonly days: Int32Array;
  /** One column for each count in the query. Values are integers up to 2⁵³. */
  readonly counts: readonly Float64Array[];
}

export interface AppQuery {
  readonly project: ProjectNumber;
  /** Last day to include. */
  readonly until: Day;
  /** App id after which to start. If omitted, starts at the first app. */
  readonly after?: string;
  readonly limit: number;
}

/** An app, with the first and last day on which it has entries. */
export interface AppWithEntries {
  readonly appId: string;
  readonly firstDay: Day;
  readonly lastDay: Day;
}

/** Published delivery data: entries that rollups have computed, and mirrored entries. */
export interface DeliveryDataStore {
  /**
   * Reads entries, sorted by day (newest first), then by app id and label in byte order. The empty label comes first.
   * The result consists of batches of columns, because creating an object for each entry would be slow. A concurrent
   * rollup is visible either completely or not at all for each day.
   *
   * @param signal cancels the read, whether it is queued or running in the engine.
   * @throws StoreUnavailableError if the store cannot be reached; the abort reason of `signal`.
   */
  readEntries(query: EntryQuery, signal?: AbortSignal): Promise<readonly EntryColumns[]>;

  /**
   * Sums entries inside the engine. Returns a group for each combination of dimensions that has entries, sorted like
   * {@link readEntries}. Sums below 2⁵³ are exact. Memory use does not grow with the number of groups.
   *
   * @throws TooManyGroupsError if the result would have more groups than the limit; the errors of {@link readEntries}.
   */
  sumEntries(query: SumQuery, signal?: AbortSignal): Promise<readonly GroupColumns[]>;

  /**
   * Reads an app's daily counts by label, sorted by label in byte order. The empty label comes first. Large results do
   * not block the event loop.
   *
   * @throws the same errors as {@link readEntries}.
   */
  readHistories(query: HistoryQuery, signal?: AbortSignal): Promise<readonly LabelHistory[]>;

  /**
   * Computes a digest of an app's daily counts inside the engine. The digest changes when a count changes. It can only
   * be compared with digests of the same query in the same process.
   *
   * @throws the same errors as {@link readEntries}.
   */
  digestCounts(query: CountsQuery, signal?: AbortSignal): Promise<string>;

  /**
   * Lists a project's apps that have entries, sorted by app id in byte order.
   *
   * @throws the same errors as {@link readEntries}.
   */
  listApps(query: AppQuery, signal?: AbortSignal): Promise<readonly AppWithEntries[]>;

  /**
   * Returns the numbers of all projects that have entries, at little cost. Other projects that have or had data may be
   * included.
   *
   * @throws the same errors as {@link readEntries}.
   */
  projectsWithEntries(): Promise<readonly string[]>;

  /**
   * Replaces all entries of days with entries that do not come from events in this store. For readers, the change of all
   * days happens in one step. Events of the days stay stored, so that a rollup of a day would replace its entries.
   *
   * @param days distinct days, between one and {@link MAX_PUBLISHED_DAYS}.
   * @param fence fence of the lease for this work, if several processes use the store.
   * @throws StoreUnavailableError if the store cannot be reached. The days may have been published.
   * @throws FencedError if another process has the lease now. No day is published then.
   */
  publish(project: ProjectNumber, days: readonly PublishedDay[], fence?: Fence): Promise<void>;

  /**
   * Returns a string that identifies the project's entries up to and including `until`, at little cost. It changes when
   * one of these days is published, loses entries, or may have changed because a call failed. The change is visible
   * before that call settles. Only strings from the same object, for the same project and `until`, can be compared.
   */
  version(project: ProjectNumber, until: Day): Promise<string>;
}

/** A comparison operator. Days are compared by time, labels by their bytes. */
export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** A condition on the day and label of an entry. An entry without a label has the empty label. */
export type EntryFilter =
  /** True if all operands are true, or if there are none. */
  | { readonly kind: "and"; readonly operands: readonly EntryFilter[] }
  /** True if at least one operand is true. */
  | { readonly kind: "or"; readonly operands: readonly EntryFilter[] }
  | { readonly kind: "not"; readonly operand: EntryFilter }
  | { readonly kind: "day"; readonly comparison: Comparison; readonly day: Day }
  | { readonly kind: "label"; readonly comparison: Comparison; readonly label: string }
  /**
   * True for labels that consist of these strings in this order, with any text in between, possibly none. There are at
   * least two strings.
   */
  | { readonly kind: "pattern"; readonly pieces: readonly string[] };
