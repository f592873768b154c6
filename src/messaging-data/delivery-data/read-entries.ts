import { at } from "../../model/collections.js";
import type {
  DeliveryDataStore,
  EntryColumns,
  EntryPosition,
  EntryQuery,
} from "../../store/delivery-data-store.js";
import type { MirrorStore } from "../../store/mirror-store.js";
import { lengthOf, placeOf, rowsOf } from "./entry-columns.js";

/** List entries up to a position. */
export interface EntriesUpTo {
  readonly entries: readonly EntryColumns[];
  /** Position up to which entries were read. Omitted if no entries follow. */
  readonly end?: EntryPosition | undefined;
}

export interface ListView {
  /** Part of the cache key. It distinguishes responses that differ although the stored days are equal. */
  readonly key?: number;

  /**
   * Reads entries in list order. Returns fewer entries than the query's limit only if no more follow, or together with
   * an `end`.
   *
   * @throws the same errors as `DeliveryDataStore.readEntries`.
   */
  readEntries(query: EntryQuery, signal?: AbortSignal): Promise<EntriesUpTo>;
}

/**
 * Reads a page of entries in non-empty batches. If more entries may follow, also returns the end position.
 *
 * @throws the same errors as {@link DeliveryDataStore.readEntries}.
 */
async function readPage(
  store: Pick<DeliveryDataStore, "readEntries">,
  query: EntryQuery,
  signal?: AbortSignal,
): Promise<EntriesUpTo> {
  const entries = (await store.readEntries(query, signal)).filter(({ length }) => length > 0);
  const last = lengthOf(entries) < query.limit ? undefined : entries.at(-1);
  return { entries, end: last && placeOf(last, last.length - 1, query) };
}

/**
 * Reads all selected entries, a limited number at a time.
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

/** Minimum number of entries for each additional read, so that long runs of omitted entries need few reads. */
const MIN_ENTRIES = 1_000;
/**
 * Maximum number of reads for a page. Without a maximum, a call could read a whole project although it lists nothing.
 */
const MAX_READS = 16;

/** How a list changes the stored entries. */
export interface ChangedList {
  /** Replaces or omits stored entries. They arrive in non-empty batches. */
  readonly change: (read: readonly EntryColumns[]) => Promise<readonly EntryColumns[]>;
  /** Number of entries after which reading stops. */
  readonly enough: number;
}

/**
 * Reads stored entries and changes them for a list. Continues until the result has enough entries, the list ends, or
 * the maximum number of reads is reached.
 *
 * @param query its limit applies to the first read.
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

/** Store methods for present entries and earlier versions. */
export type VersionedEntries = Pick<DeliveryDataStore, "readEntries"> & Pick<MirrorStore, "readVersions">;

/**
 * Returns a view of a store's entries, at present or as of an earlier time. Mirrored entries that have changed since
 * then have the version of that time. Entries that were unknown then are omitted.
 *
 * @param asOf time in milliseconds since 1970; `undefined` for the present.
 */
export function viewAt(store: VersionedEntries, asOf: number | undefined): ListView {
  if (asOf === undefined) return { readEntries: (query, signal) => readPage(store, query, signal) };
  return {
    readEntries: (query, signal) =>
      readUntilEnough(
        store,
        { ...query, originals: true },
        { change: (read) => versionsOf(store, query, read, asOf, signal), enough: 1 },
        signal,
      ),
  };
}

/**
 * Replaces entries that have changed since a time with their version at that time. Omits entries that had no version
 * then.
 */
async function versionsOf(
  store: VersionedEntries,
  query: EntryQuery,
  read: readonly EntryColumns[],
  asOf: number,
  signal: AbortSignal | undefined,
): Promise<readonly EntryColumns[]> {
  const [first, last] = [read[0], read.at(-1)];
  const changed = read.some(({ fetchedAt }) => Array.from(fetchedAt ?? []).some((time) => time > asOf));
  if (first === undefined || last === undefined || !changed) return read;
  const { project, appId } = query;
  const range = {
    project,
    ...(appId !== undefined && { appId }),
    from: placeOf(first, 0, query),
    to: placeOf(last, last.length - 1, query),
    asOf,
  };
  const versions = new Map(
    (await store.readVersions(range, signal)).map(({ day, appId, label, original }) => [
      keyOf(day, appId, label),
      original,
    ]),
  );
  return read.map((batch) => batchAsOf(batch, asOf, versions));
}

function batchAsOf(batch: EntryColumns, asOf: number, versions: ReadonlyMap<string, string>): EntryColumns {
  const { length, days, appIds, labels, originals, fetchedAt } = batch;
  // The rows need no counts, because rows with originals are encoded from the originals.
  const rows = { length, days, appIds, labels, counts: [] };
  // Entries that come from events have no earlier versions.
  if (originals === undefined || fetchedAt === undefined) return rowsOf(rows, []);
  const then = labels.map((label, row) =>
    at(fetchedAt, row) <= asOf
      ? at(originals, row)
      : versions.get(keyOf(at(days, row), at(appIds, row), label)),
  );
  const known = then.flatMap((original, row) => (original === undefined ? [] : row));
  return { ...rowsOf(rows, known), originals: then.filter((original) => original !== undefined) };
}

const keyOf = (day: number, appId: string, label: string): string => JSON.stringify([day, appId, label]);
