import type { EntriesSelection } from "#console/api/requests.js";
import type { WaybillApi } from "#console/api/waybill-api.js";
import { CATEGORY_GROUPS, type CategoryGroup } from "#console/model/numbers/categories.js";
import type { CountName } from "#console/model/numbers/counts.js";
import { csvLine } from "#console/ui/files/files.js";
import type { AndroidDeliveryDataJson } from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { COUNT_NAMES, dateText, knownCount } from "#src/presentation/field-text.js";

/** A file column. `read` returns undefined if the entry has no value. */
interface EntryColumn {
  readonly name: string;
  readonly read: (entry: AndroidDeliveryDataJson) => string | number | undefined;
}

/** Returns an entry's percentage. JSON omits percentages that are 0, and groups with denominator 0. */
export function percentIn(
  { data }: AndroidDeliveryDataJson,
  group: CategoryGroup,
  name: CountName,
): number | undefined {
  const percents: Readonly<Record<string, unknown>> | undefined = data?.[group.field];
  return percents && Number(percents[name] ?? 0);
}

/**
 * Every entry field, by its name in the contract. Percentages have names such as `messageOutcomePercents.delivered`.
 */
const ENTRY_COLUMNS: readonly EntryColumn[] = [
  { name: "appId", read: ({ appId = "" }) => appId },
  { name: "date", read: ({ date }) => dateText(date) },
  { name: "analyticsLabel", read: ({ analyticsLabel = "" }) => analyticsLabel },
  ...COUNT_NAMES.map((name) => ({
    name,
    read: ({ data }: AndroidDeliveryDataJson) => knownCount(name, data),
  })),
  ...CATEGORY_GROUPS.flatMap((group) =>
    group.categories.map(({ name }) => ({
      name: `${group.field}.${name}`,
      read: (entry: AndroidDeliveryDataJson) => percentIn(entry, group, name),
    })),
  ),
];

/** A file format for entries. A file consists of a head, the text of each page, and a foot. */
export interface EntriesFormat {
  readonly title: string;
  readonly extension: string;
  readonly mediaType: string;
  readonly head: string;
  readonly foot: string;
  /** @param isFirst true for the first entries in the file */
  readonly textOf: (entries: readonly AndroidDeliveryDataJson[], isFirst: boolean) => string;
}

/** A line of field names, and a line for each entry. */
export const CSV: EntriesFormat = {
  title: "CSV",
  extension: "csv",
  mediaType: "text/csv;charset=utf-8;header=present",
  head: csvLine(ENTRY_COLUMNS.map(({ name }) => name)),
  foot: "",
  textOf: (entries) => entries.map((entry) => csvLine(ENTRY_COLUMNS.map(({ read }) => read(entry)))).join(""),
};

/** The service's response format, with all entries on one page. */
export const JSON_FILE: EntriesFormat = {
  title: "JSON",
  extension: "json",
  mediaType: "application/json",
  head: '{"androidDeliveryData":[',
  foot: "\n]}\n",
  textOf: (entries, isFirst) =>
    entries.map((entry, index) => `${isFirst && index === 0 ? "" : ","}\n${JSON.stringify(entry)}`).join(""),
};

/** Entries per request, few enough to process without a noticeable pause. */
const PAGE_SIZE = 1_000;

/**
 * Fetches all entries of a selection into one file. Stores each page in a blob, which the browser can move to disk.
 *
 * @param onProgress receives the number of entries after each page
 * @throws WaybillError, or the abort reason
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
