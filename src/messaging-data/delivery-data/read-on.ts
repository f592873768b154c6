import type { DeliveryDataStore, EntryColumns, EntryQuery } from "../../store/delivery-data-store.js";
import { placeOf } from "./entry-place.js";
import type { EntriesUpTo } from "./list-view.js";

/** Fewest entries that are read at once after some were left out: many that are left out cost few reads. */
const LEAST_ENTRIES = 1_000;
/** Most reads for an answer. Without this bound, a call could read a whole project to list nothing. */
const MAX_READS = 16;

/** A list that differs from what is stored. */
export interface ChangedList {
  /** Replaces or leaves out entries. They come as stored, in batches that are not empty. */
  readonly change: (read: readonly EntryColumns[], signal?: AbortSignal) => Promise<readonly EntryColumns[]>;
  /** The number of entries after which no more are read. */
  readonly least: number;
}

/**
 * Reads entries of a list that differs from what is stored. Reads on until there are enough entries or no more, within
 * bounds.
 *
 * @param query its limit is that of the first read.
 * @throws as {@link DeliveryDataStore.readEntries}, and what `change` throws.
 */
export async function readOn(
  store: Pick<DeliveryDataStore, "readEntries">,
  query: EntryQuery,
  { change, least }: ChangedList,
  signal?: AbortSignal,
): Promise<EntriesUpTo> {
  const entries: EntryColumns[] = [];
  let next = query;
  for (let reads = 1; ; reads++) {
    const read = (await store.readEntries(next, signal)).filter(({ length }) => length > 0);
    entries.push(...(await change(read, signal)));
    const count = lengthOf(entries);
    const last = lengthOf(read) < next.limit ? undefined : read.at(-1);
    const end = last && placeOf(last, last.length - 1, query);
    if (end === undefined || count >= least || reads === MAX_READS) return { entries, end };
    next = { ...next, after: end, limit: Math.max(query.limit - count, LEAST_ENTRIES) };
  }
}

const lengthOf = (batches: readonly EntryColumns[]): number =>
  batches.reduce((sum, { length }) => sum + length, 0);
