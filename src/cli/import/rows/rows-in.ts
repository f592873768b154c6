import { type Row, type Rows, type RowUnit, SourceError } from "../row.js";
import { type BigQueryColumn, bigQueryRows, isBigQueryResponse } from "./bigquery-rows.js";
import { csvRows } from "./csv-rows.js";
import { jsonRows } from "./json-rows.js";
import { parquetRows } from "./parquet-rows.js";

/** Rows of a file, with the unit that row numbers count. */
export interface FileRows {
  readonly unit: RowUnit;
  readonly rows: Rows;
}

export interface WantedColumns {
  readonly names: readonly string[];
  /** Column lists that the log's BigQuery table may have, each with a different length. */
  readonly layouts?: readonly (readonly BigQueryColumn[])[] | undefined;
}

/** Number of characters from the first line that suffice to detect the format. */
const MIN_START = 64;

/**
 * Reads a file's rows. Parquet is recognized by the file name; JSON lines, BigQuery REST responses and CSV by the first
 * line.
 *
 * @param content decompressed file content.
 * @throws SourceError if the format is not recognized, or a column is missing.
 */
export async function rowsIn(
  file: string,
  content: AsyncIterable<Uint8Array>,
  { names, layouts = [] }: WantedColumns,
): Promise<FileRows> {
  if (file.endsWith(".parquet")) return { unit: "row", rows: parquetRows(file, names) };
  const texts = decoded(content);
  const start = await startOf(texts);
  const all = chained(start, texts);
  if (isBigQueryResponse(start)) return { unit: "row", rows: bigQueryRows(all, names, layouts) };
  if (start.trim() === "") return { unit: "line", rows: none() };
  // The reader for JSON lines reports arrays as errors.
  const isJson = /^\s*[{[]/.test(start);
  return { unit: "line", rows: isJson ? jsonRows(all, layouts) : csvRows(all, names) };
}

/** Reads the first non-blank line, up to a limit. */
async function startOf(texts: AsyncGenerator<string>): Promise<string> {
  let start = "";
  while (!/^\s*\S.*\n/.test(start) && start.trim().length < MIN_START) {
    const { done, value } = await texts.next();
    if (done) break;
    start += value;
  }
  return start;
}

async function* chained(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

async function* none(): AsyncGenerator<readonly Row[]> {}

/** Decodes UTF-8, without a byte order mark. @throws SourceError for invalid UTF-8. */
async function* decoded(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let lines = 1;
  const decode = (...input: Parameters<typeof decoder.decode>): string => {
    try {
      return decoder.decode(...input);
    } catch (cause) {
      throw new SourceError(undefined, `is not UTF-8 at line ${lines} or soon after`, { cause });
    }
  };
  for await (const chunk of source) {
    const text = decode(chunk, { stream: true });
    yield text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  }
  yield decode();
}
