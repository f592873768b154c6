import type { EntriesSelection } from "../api/requests.js";
import type { WaybillApi } from "../api/waybill-api.js";
import type { EntriesFormat } from "./entries-file.js";

/** Entries in one request, few enough to process without a noticeable pause. */
const PAGE_SIZE = 1_000;

/**
 * Fetches all entries of a selection into one file. Keeps the text of the pages in blobs, which the browser
 * may move to disk.
 * @param onProgress receives the number of entries after each page.
 * @throws WaybillError, or the reason of the signal.
 */
export async function collectEntries(
  api: Pick<WaybillApi, "entries">,
  selection: EntriesSelection,
  format: EntriesFormat,
  onProgress: (entries: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const parts: Blob[] = [new Blob([format.head])];
  let count = 0;
  let pageToken: string | undefined;
  do {
    const page = await api.entries({ ...selection, pageSize: PAGE_SIZE, pageToken }, signal);
    parts.push(new Blob([format.textOf(page.entries, count === 0)]));
    count += page.entries.length;
    onProgress(count);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return new Blob([...parts, format.foot], { type: format.mediaType });
}
