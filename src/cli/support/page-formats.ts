import { Option } from "commander";
import { print } from "./print.js";
import { type Column, TextTable } from "./text-table.js";

/** Pages of rows from a list method of the API. */
export type Pages<R> = AsyncIterable<readonly R[]>;

/** Yields the rows of each page. @param rowsOf returns a page's rows. ProtoJSON omits an empty list. */
export async function* pagesOf<Page, Row>(
  list: { pages(): AsyncIterable<Page> },
  rowsOf: (page: Page) => readonly Row[] | undefined,
): AsyncGenerator<readonly Row[]> {
  for await (const page of list.pages()) yield rowsOf(page) ?? [];
}

export interface TableSpace {
  /** Maximum line length in characters. Undefined for no limit. */
  readonly width: number | undefined;
  /** Called with the titles of columns that were omitted to fit the width. */
  readonly onOmitted: (titles: readonly string[]) => void;
}

/** Maximum number of rows to buffer for determining the column widths. */
const SAMPLE_ROWS = 1000;

export async function* table<R>(
  pages: Pages<R>,
  columns: readonly Column<R>[],
  space: TableSpace,
): AsyncGenerator<string> {
  let laidOut: TextTable<R> | undefined;
  let sample: R[] = [];
  const start = (): string => {
    laidOut = new TextTable(columns, sample, space.width);
    if (laidOut.omitted.length > 0) space.onOmitted(laidOut.omitted.map(({ title }) => title));
    return laidOut.head() + lines(laidOut, sample);
  };
  for await (const rows of pages) {
    if (laidOut !== undefined) yield lines(laidOut, rows);
    else {
      sample = [...sample, ...rows];
      if (sample.length >= SAMPLE_ROWS) yield start();
    }
  }
  if (laidOut === undefined) yield start();
}

const lines = <R>(laidOut: TextTable<R>, rows: readonly R[]): string =>
  rows.map((row) => laidOut.line(row)).join("");

/** Formats rows as a JSON array, with one row per line. */
export async function* json<R>(pages: Pages<R>): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield separator + rows.map((row) => JSON.stringify(row)).join(",\n");
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

export async function* ndjson<R>(pages: Pages<R>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Formats of a list, as values of {@link formatOption}. */
export type ListFormat = "table" | "json" | "ndjson";
export const LIST_FORMATS: Readonly<
  Record<
    ListFormat,
    <R>(pages: Pages<R>, columns: readonly Column<R>[], space: TableSpace) => AsyncGenerator<string>
  >
> = { table, json, ndjson };

/** Creates the `--format` option. The first format is the default. */
export const formatOption = (formats: object, ...more: readonly string[]): Option => {
  const names = [...Object.keys(formats), ...more];
  return new Option("--format <format>", "output format").choices(names).default(names[0]);
};

export const printPages = <R>(
  pages: Pages<R>,
  columns: readonly Column<R>[],
  format: ListFormat,
): Promise<void> => printFitting((space) => LIST_FORMATS[format](pages, columns, space));

/** Prints rows within the terminal width. Lists omitted columns on standard error. */
export async function printFitting(textsIn: (space: TableSpace) => AsyncGenerator<string>): Promise<void> {
  let omitted: readonly string[] = [];
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  const onOmitted = (titles: readonly string[]): void => {
    omitted = titles;
  };
  await print(textsIn({ width, onOmitted }));
  if (omitted.length > 0) process.stderr.write(`Columns that do not fit: ${omitted.join(", ")}.\n`);
}
