import { readAll } from "../../messaging-data/delivery-data/read-all.js";
import type { DeliveryDataStore, EntryColumns, EntryQuery } from "../../store/delivery-data-store.js";

/** Entries that are read at a time. */
const PAGE_ENTRIES = 10_000;

/** Published entries with their originals, in columns. */
export type PublishedColumns = EntryColumns & Required<Pick<EntryColumns, "originals" | "fetchedAt">>;

/**
 * Reads all published entries of a selection in a mirrored project, a page at a time.
 *
 * @throws StoreUnavailableError if the store cannot be reached; Error if entries were computed from events; the reason
 * of `signal` once it has aborted.
 */
export async function* readPublished(
  store: DeliveryDataStore,
  selection: Omit<EntryQuery, "after" | "limit" | "originals">,
  signal?: AbortSignal,
): AsyncGenerator<PublishedColumns> {
  const query = { ...selection, limit: PAGE_ENTRIES, originals: true };
  for await (const batch of readAll(store, query, signal)) yield withOriginals(batch);
}

function withOriginals(batch: EntryColumns): PublishedColumns {
  const { originals, fetchedAt } = batch;
  if (originals === undefined || fetchedAt === undefined)
    throw new Error("the delivery data of this project are computed from events, and cannot be mirrored too");
  return { ...batch, originals, fetchedAt };
}
