import type { DeliveryDataStore, EntryColumns, EntryQuery } from "../../store/delivery-data-store.js";
import { lengthOf } from "./entry-rows.js";
import type { EntriesUpTo } from "./list-view.js";
import { readPage } from "./read-page.js";

/** Fewest entries that are read at once after some were left out: many that are left out cost few reads. */
const LEAST_ENTRIES = 1_000;
/** Most reads for an answer. Without this bound, a call could read a whole project to list nothing. */
const MAX_READS = 16;

/** A list that differs from what is stored. */
export interface ChangedList {
  /** Replaces or leaves out entries. They come as stored, in batches that are not empty. */
  readonly change: (read: readonly EntryColumns[]) => Promise<readonly EntryColumns[]>;
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
    const { entries: read, end } = await readPage(store, next, signal);
    entries.push(...(await change(read)));
    const count = lengthOf(entries);
    if (end === undefined || count >= least || reads === MAX_READS) return { entries, end };
    next = { ...next, after: end, limit: Math.max(query.limit - count, LEAST_ENTRIES) };
  }
}
