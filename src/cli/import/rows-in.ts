import type { Row, Rows } from "./row.js";
import { csvRows } from "./rows/csv-rows.js";
import { decoded } from "./rows/decoded.js";
import { jsonRows } from "./rows/json-rows.js";
import { parquetRows } from "./rows/parquet-rows.js";

/**
 * Reads the rows of a file: Parquet by its name, else JSON lines or CSV, whichever its text is.
 *
 * @param content what the file has, decompressed.
 * @param columns names of the columns to read.
 * @throws SourceError if it is none of them, or lacks a column.
 */
export function rowsIn(file: string, content: AsyncIterable<Uint8Array>, columns: readonly string[]): Rows {
  return file.endsWith(".parquet") ? parquetRows(file, columns) : textRows(decoded(content), columns);
}

async function* textRows(
  texts: AsyncGenerator<string>,
  columns: readonly string[],
): AsyncGenerator<readonly Row[]> {
  let start = "";
  while (start.trim() === "") {
    const { done, value } = await texts.next();
    if (done) return;
    start += value;
  }
  const all = chained(start, texts);
  // An array is no JSON line either, but that is what to say about it.
  yield* /^\s*[{[]/.test(start) ? jsonRows(all) : csvRows(all, columns);
}

async function* chained(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}
