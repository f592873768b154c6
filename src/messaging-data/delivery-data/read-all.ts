import type { DeliveryDataStore, EntryColumns, EntryQuery } from "../../store/delivery-data-store.js";
import { readPage } from "./read-page.js";

/**
 * Reads all entries of a selection, a limited number at a time.
 *
 * @throws as {@link DeliveryDataStore.readEntries}.
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
