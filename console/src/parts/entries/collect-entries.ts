import type { EntriesSelection } from "#console/api/requests.js";
import type { WaybillApi } from "#console/api/waybill-api.js";
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
  api: Pick<WaybillApi, "allEntries">,
  selection: EntriesSelection,
  format: EntriesFormat,
  onProgress: (entries: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const parts: Blob[] = [new Blob([format.head])];
  let count = 0;
  for await (const entries of api.allEntries(selection, PAGE_SIZE, signal)) {
    parts.push(new Blob([format.textOf(entries, count === 0)]));
    count += entries.length;
    onProgress(count);
  }
  return new Blob([...parts, format.foot], { type: format.mediaType });
}
