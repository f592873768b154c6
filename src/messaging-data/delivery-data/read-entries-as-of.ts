import type {
  DeliveryDataStore,
  EntryColumns,
  EntryPosition,
  EntryQuery,
} from "../../store/delivery-data-store.js";
import type { MirrorStore } from "../../store/mirror-store.js";
import { placeOf } from "./entry-place.js";

/** The parts of a store that know what entries are, and were. */
export type VersionedEntries = Pick<DeliveryDataStore, "readEntries"> & Pick<MirrorStore, "readVersions">;

/** Entries of a list, up to a place. */
export interface EntriesUpTo {
  readonly entries: readonly EntryColumns[];
  /** The place up to which the list was read, if it may go on. */
  readonly end?: EntryPosition | undefined;
}

/** Fewest entries that are read at once after all entries of a read were left out. */
const LEAST_ENTRIES = 1_000;
/** Most reads for an answer. Without this bound, a call could read a whole project to list nothing. */
const MAX_READS = 16;

/**
 * Reads entries of a mirror as they were at a moment: an entry that has changed since is the version of that moment, and
 * an entry that was not known yet is left out. Reads on if all are left out, within bounds.
 *
 * @param asOf in milliseconds since 1970.
 * @throws as {@link DeliveryDataStore.readEntries}.
 */
export async function readEntriesAsOf(
  store: VersionedEntries,
  query: EntryQuery,
  asOf: number,
  signal: AbortSignal,
): Promise<EntriesUpTo> {
  let { after, limit } = query;
  for (let reads = 1; ; reads++) {
    const from = after !== undefined && { after };
    const read = await store.readEntries({ ...query, ...from, limit, originals: true }, signal);
    const end = lengthOf(read) < limit ? undefined : placeIn(read, "last", query.appId === undefined);
    const entries = await versionsOf(store, query, read, asOf, signal);
    if (end === undefined || reads === MAX_READS || lengthOf(entries) > 0) return { entries, end };
    after = end;
    limit = Math.max(limit, LEAST_ENTRIES);
  }
}

/** Replaces or leaves out the entries that have changed since. */
async function versionsOf(
  store: VersionedEntries,
  query: EntryQuery,
  read: readonly EntryColumns[],
  asOf: number,
  signal: AbortSignal,
): Promise<readonly EntryColumns[]> {
  const { project, appId } = query;
  const [from, to] = (["first", "last"] as const).map((end) => placeIn(read, end, appId === undefined));
  const changed = read.some(({ fetchedAt }) => Array.from(fetchedAt ?? []).some((time) => time > asOf));
  if (from === undefined || to === undefined || !changed) return read;
  const range = { project, ...(appId !== undefined && { appId }), from, to, asOf };
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

const lengthOf = (batches: readonly EntryColumns[]): number =>
  batches.reduce((sum, { length }) => sum + length, 0);

/** The place of the first or the last entry of a read. */
function placeIn(
  read: readonly EntryColumns[],
  end: "first" | "last",
  ofAllApps: boolean,
): EntryPosition | undefined {
  const batches = read.filter(({ length }) => length > 0);
  const batch = end === "first" ? batches[0] : batches.at(-1);
  return batch && placeOf(batch, end === "first" ? 0 : batch.length - 1, ofAllApps);
}
