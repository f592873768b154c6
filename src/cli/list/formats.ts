import { stringify } from "csv-stringify/sync";
import type { AndroidDeliveryDataJson } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { TextTable } from "../support/text-table.js";
import { CSV_COLUMNS } from "./csv-columns.js";
import { TABLE_COLUMNS } from "./table-columns.js";

type Entries = readonly AndroidDeliveryDataJson[];

/** Space for a table, and its content. */
export interface TableSpace {
  /** Maximum line length in characters; undefined for no limit. */
  readonly width: number | undefined;
  /** True if the entries may be of several apps. */
  readonly manyApps: boolean;
  /** Called with the titles of the columns that do not fit. */
  readonly onOmitted: (titles: readonly string[]) => void;
}

/** Formats entries page by page. */
export type Format = (pages: AsyncIterable<Entries>, space: TableSpace) => AsyncGenerator<string>;

/** Most rows that are buffered to determine column widths. */
const SAMPLE_ROWS = 1000;

/** Formats by their `--format` name. */
export const FORMATS = { table, json, ndjson, csv } satisfies Record<string, Format>;

async function* table(pages: AsyncIterable<Entries>, space: TableSpace): AsyncGenerator<string> {
  const columns = TABLE_COLUMNS.filter(({ title }) => space.manyApps || title !== "app");
  let laidOut: TextTable<AndroidDeliveryDataJson> | undefined;
  let sample: AndroidDeliveryDataJson[] = [];
  const start = (): string => {
    laidOut = new TextTable(columns, sample, space.width);
    if (laidOut.omitted.length > 0) space.onOmitted(laidOut.omitted.map(({ title }) => title));
    return laidOut.head() + lines(laidOut, sample);
  };
  for await (const entries of pages) {
    if (laidOut !== undefined) yield lines(laidOut, entries);
    else {
      sample = [...sample, ...entries];
      if (sample.length >= SAMPLE_ROWS) yield start();
    }
  }
  if (laidOut === undefined) yield start();
}

const lines = (laidOut: TextTable<AndroidDeliveryDataJson>, entries: Entries): string =>
  entries.map((entry) => laidOut.line(entry)).join("");

async function* json(pages: AsyncIterable<Entries>): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const entries of pages) {
    if (entries.length === 0) continue;
    yield separator + entries.map((entry) => JSON.stringify(entry)).join(",\n");
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

async function* ndjson(pages: AsyncIterable<Entries>): AsyncGenerator<string> {
  for await (const entries of pages) yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** Formats entries as CSV (RFC 4180) with a header. */
async function* csv(pages: AsyncIterable<Entries>): AsyncGenerator<string> {
  yield csvOf([CSV_COLUMNS.map(({ name }) => name)]);
  for await (const entries of pages)
    yield csvOf(entries.map((entry) => CSV_COLUMNS.map(({ text }) => text(entry))));
}

const csvOf = (records: readonly (readonly string[])[]): string =>
  stringify([...records], { record_delimiter: "\r\n" });
