import type { DeliveryDataStore, EntryColumns, EntryQuery } from "../../store/delivery-data-store.js";
import type { MirrorStore } from "../../store/mirror-store.js";
import { placeOf } from "./entry-place.js";
import type { ListView } from "./list-view.js";
import { readOn } from "./read-on.js";

/** The parts of a store that know what entries are, and were. */
export type VersionedEntries = Pick<DeliveryDataStore, "readEntries"> & Pick<MirrorStore, "readVersions">;

/**
 * Returns what a store lists, or listed at a moment. At a moment, an entry of a mirror that has changed since is the
 * version of that moment, and an entry that was not known yet is left out.
 *
 * @param asOf in milliseconds since 1970; `undefined` for the present.
 */
export function viewAt(store: VersionedEntries, asOf: number | undefined): ListView {
  if (asOf === undefined) {
    return { readEntries: async (query, signal) => ({ entries: await store.readEntries(query, signal) }) };
  }
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
  { project, appId }: EntryQuery,
  read: readonly EntryColumns[],
  asOf: number,
  signal: AbortSignal | undefined,
): Promise<readonly EntryColumns[]> {
  const [first, last] = [read[0], read.at(-1)];
  const changed = read.some(({ fetchedAt }) => Array.from(fetchedAt ?? []).some((time) => time > asOf));
  if (first === undefined || last === undefined || !changed) return read;
  const ofAllApps = appId === undefined;
  const range = {
    project,
    ...(appId !== undefined && { appId }),
    from: placeOf(first, 0, ofAllApps),
    to: placeOf(last, last.length - 1, ofAllApps),
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
  const days: number[] = [];
  const appIds: string[] = [];
  const labels: string[] = [];
  const originals: string[] = [];
  for (const [row, label] of batch.labels.entries()) {
    const day = batch.days[row] ?? 0;
    const appId = batch.appIds[row] ?? "";
    const isKnown = (batch.fetchedAt?.[row] ?? 0) <= asOf;
    const original = isKnown ? batch.originals?.[row] : versions.get(keyOf(day, appId, label));
    if (original === undefined) continue;
    days.push(day);
    appIds.push(appId);
    labels.push(label);
    originals.push(original);
  }
  // Rows with originals are given as these: no one reads their counts.
  return { length: originals.length, days, appIds, labels, counts: [], originals };
}

const keyOf = (day: number, appId: string, label: string): string => JSON.stringify([day, appId, label]);
