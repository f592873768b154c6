import { at } from "../../model/collections.js";
import type { DeliveryDataStore, EntryColumns, EntryQuery } from "../../store/delivery-data-store.js";
import type { MirrorStore } from "../../store/mirror-store.js";
import { placeOf, rowsOf } from "./entry-columns.js";
import { type ListView, readPage, readUntilEnough } from "./read-entries.js";

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
