import { stringify } from "csv-stringify/sync";
import type { AndroidDeliveryDataJson } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { json, ndjson, type Pages, type TableSpace, table } from "../support/page-formats.js";
import { CSV_COLUMNS } from "./csv-columns.js";
import { TABLE_COLUMNS } from "./table-columns.js";

type Entries = Pages<AndroidDeliveryDataJson>;

/** Space for a table of entries, and its content. */
export interface EntrySpace extends TableSpace {
  /** True if the entries may be of several apps. */
  readonly manyApps: boolean;
}

/** Formats entries page by page. */
export type Format = (pages: Entries, space: EntrySpace) => AsyncGenerator<string>;

/** Formats by their `--format` name. */
export const FORMATS = {
  table: (pages, space) =>
    table(
      pages,
      TABLE_COLUMNS.filter(({ title }) => space.manyApps || title !== "app"),
      space,
    ),
  json,
  ndjson,
  csv,
} satisfies Record<string, Format>;

/** Formats entries as CSV (RFC 4180) with a header. */
async function* csv(pages: Entries): AsyncGenerator<string> {
  yield csvOf([CSV_COLUMNS.map(({ name }) => name)]);
  for await (const entries of pages)
    yield csvOf(entries.map((entry) => CSV_COLUMNS.map(({ text }) => text(entry))));
}

const csvOf = (records: readonly (readonly string[])[]): string =>
  stringify([...records], { record_delimiter: "\r\n" });
