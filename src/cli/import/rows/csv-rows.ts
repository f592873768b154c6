import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import type { Row } from "../row.js";
import { requireColumns, SourceError } from "../row.js";

/** Maximum record size, in bytes. */
const MAX_RECORD_BYTES = 1024 * 1024;
const UNEVEN = "has more or fewer values than the header";
/** In values, they must be quoted. */
const LINE_ENDS = ["\r\n", "\n", "\r"];
/** Number of records per chunk. */
const BATCH = 256;

/** A record with its last line number. Carriage returns within values count as line ends. */
interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Reads CSV with a header (RFC 4180). Skips blank lines.
 *
 * @param columns names of the columns to read.
 * @throws SourceError if the header lacks one of these columns, or the file is not CSV.
 */
export async function* csvRows(
  texts: AsyncIterable<string>,
  columns: readonly string[],
): AsyncGenerator<readonly Row[]> {
  const parser = parse({
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    // By default, the first line end of a file decides which of them ends a record.
    record_delimiter: LINE_ENDS,
    max_record_size: MAX_RECORD_BYTES,
  });
  // If any stage of the pipeline fails, reading from the last stage throws the error.
  pipeline([Readable.from(texts), parser], () => {});
  let places: readonly (readonly [column: string, index: number])[] | undefined;
  let width = 0;
  let rows: Row[] = [];
  let returns = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      returns += countIn(record, "\r");
      if (places === undefined) {
        requireColumns(columns, record);
        places = columns.map((column) => [column, record.indexOf(column)]);
        width = record.length;
        continue;
      }
      const line = info.lines - returns - countIn(record, "\n");
      if (record.length !== width) rows.push({ line, cells: {}, problem: UNEVEN });
      else
        rows.push({
          line,
          cells: Object.fromEntries(places.map(([column, index]) => [column, record[index]])),
        });
      if (rows.length === BATCH) {
        yield rows;
        rows = [];
      }
    }
  } catch (error) {
    if (error instanceof CsvError) throw notCsv(error, returns);
    throw error;
  }
  yield rows;
}

/** Counts how often a character occurs in a record. */
function countIn(record: readonly string[], character: string): number {
  let count = 0;
  for (const value of record)
    for (let at = value.indexOf(character); at >= 0; at = value.indexOf(character, at + 1)) count++;
  return count;
}

/** Problem descriptions by error code of the parser. */
const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: "is longer than 1 MiB",
  CSV_QUOTE_NOT_CLOSED: "the file ends within quotes",
};

function notCsv(error: CsvError, returns: number): SourceError {
  const line = typeof error.lines === "number" ? error.lines - returns : undefined;
  return new SourceError(line, PROBLEMS[error.code] ?? "has a quote that CSV does not allow", {
    cause: error,
  });
}
