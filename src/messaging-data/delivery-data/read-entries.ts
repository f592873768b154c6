import type {
  DeliveryDataStore,
  EntryColumns,
  EntryPosition,
  EntryQuery,
} from "../../store/delivery-data-store.js";
import { lengthOf, placeOf } from "./entry-columns.js";

/** Entries of a list, up to a position. */
export interface EntriesUpTo {
  readonly entries: readonly EntryColumns[];
  /** Position at which reading stopped; omitted after the last entry. */
  readonly end?: EntryPosition | undefined;
}

/** Delivery data as a list shows it. */
export interface ListView {
  /** Part of the cache key, for responses that differ although the stored days are equal. */
  readonly key?: number;

  /**
   * Reads entries in list order. It returns fewer than the query's limit only if no more follow, or together with an `end`.
   *
   * @throws as `DeliveryDataStore.readEntries`.
   */
  readEntries(query: EntryQuery, signal?: AbortSignal): Promise<EntriesUpTo>;
}

/**
 * Reads a page of entries in non-empty batches, and its end position if more may follow.
 *
 * @throws the same errors as {@link DeliveryDataStore.readEntries}.
 */
export async function readPage(
  store: Pick<DeliveryDataStore, "readEntries">,
  query: EntryQuery,
  signal?: AbortSignal,
): Promise<EntriesUpTo> {
  const entries = (await store.readEntries(query, signal)).filter(({ length }) => length > 0);
  const last = lengthOf(entries) < query.limit ? undefined : entries.at(-1);
  return { entries, end: last && placeOf(last, last.length - 1, query) };
}

/**
 * Reads all entries of a selection, a limited number at a time.
 *
 * @throws the same errors as {@link DeliveryDataStore.readEntries}.
 */
export async function* readAll(
  store: Pick<DeliveryDataStore, "readEntries">,
  query: Omit<EntryQuery, "after">,
  signal?: AbortSignal,
): AsyncGenerator<EntryColumns> {
  for (let after: EntryQuery["after"]; ; ) {
    const { entries, end } = await readPage(store, { ...query, ...(after && { after }) }, signal);
    yield* entries;
    if (end === undefined) return;
    after = end;
  }
}

/** Minimum number of entries per further read, so that long runs of omitted entries need few reads. */
const MIN_ENTRIES = 1_000;
/** Maximum number of reads per page. Without it, a call could read a whole project to list nothing. */
const MAX_READS = 16;

/** A list that differs from the stored entries. */
export interface ChangedList {
  /** Replaces or omits stored entries, which arrive in non-empty batches. */
  readonly change: (read: readonly EntryColumns[]) => Promise<readonly EntryColumns[]>;
  /** Minimum number of entries; reading stops once it is reached. */
  readonly enough: number;
}

/**
 * Reads a list that differs from the stored entries. Continues until there are enough entries, the list ends, or the
 * maximum number of reads is reached.
 *
 * @param query the limit applies to the first read.
 * @throws the same errors as {@link DeliveryDataStore.readEntries}, and those that `change` throws.
 */
export async function readUntilEnough(
  store: Pick<DeliveryDataStore, "readEntries">,
  query: EntryQuery,
  { change, enough }: ChangedList,
  signal?: AbortSignal,
): Promise<EntriesUpTo> {
  const entries: EntryColumns[] = [];
  let next = query;
  for (let reads = 1; ; reads++) {
    const { entries: read, end } = await readPage(store, next, signal);
    entries.push(...(await change(read)));
    const count = lengthOf(entries);
    if (end === undefined || count >= enough || reads === MAX_READS) return { entries, end };
    next = { ...next, after: end, limit: Math.max(query.limit - count, MIN_ENTRIES) };
  }
}
