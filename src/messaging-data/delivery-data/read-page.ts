import type { DeliveryDataStore, EntryQuery } from "../../store/delivery-data-store.js";
import { placeOf } from "./entry-place.js";
import { lengthOf } from "./entry-rows.js";
import type { EntriesUpTo } from "./list-view.js";

/**
 * Reads entries in batches that are not empty, and tells the place of the last one if others may follow.
 *
 * @throws as {@link DeliveryDataStore.readEntries}.
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
