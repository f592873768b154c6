import type { DeliveryDataStore, EntryColumns, EntryQuery } from "../../store/delivery-data-store.js";
import type { MirrorStore } from "../../store/mirror-store.js";
import { placeOf } from "./entry-place.js";
import { rowsOf } from "./entry-rows.js";
import type { ListView } from "./list-view.js";
import { readOn } from "./read-on.js";
import { readPage } from "./read-page.js";

/** The parts of a store that know what entries are, and were. */
export type VersionedEntries = Pick<DeliveryDataStore, "readEntries"> & Pick<MirrorStore, "readVersions">;

/**
 * Returns what a store lists, or listed at a moment. At a moment, an entry of a mirror that has changed since is the
 * version of that moment, and an entry that was not known yet is left out.
 *
 * @param asOf in milliseconds since 1970; `undefined` for the present.
 */
export function viewAt(store: VersionedEntries, asOf: number | undefined): ListView {
  if (asOf === undefined) return { readEntries: (query, signal) => readPage(store, query, signal) };
  return {
    readEntries: (query, signal) =>
      readOn(
        store,
        { ...query, originals: true },
        { change: (read) => versionsOf(store, query, read, asOf, signal), least: 1 },
        signal,
      ),
  };
}

/** Replaces or leaves out the entries that have changed since. */
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
  const { length, days, appIds, labels, originals = [], fetchedAt = [] } = batch;
  const given = labels.map((label, row) =>
    (fetchedAt[row] ?? 0) <= asOf
      ? originals[row]
      : versions.get(keyOf(days[row] ?? 0, appIds[row] ?? "", label)),
  );
  const known = given.flatMap((original, row) => (original === undefined ? [] : row));
  return {
    // Rows with originals are given as these: no one reads their counts.
    ...rowsOf({ length, days, appIds, labels, counts: [] }, known),
    originals: given.filter((original) => original !== undefined),
  };
}

const keyOf = (day: number, appId: string, label: string): string => JSON.stringify([day, appId, label]);
