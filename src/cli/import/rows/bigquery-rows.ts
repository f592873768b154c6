import { eventTimeOf } from "../event-time.js";
import type { Row } from "../row.js";
import { requireColumns, SourceError } from "../row.js";

/** A table column in a schema of BigQuery's REST API. */
export interface BigQueryColumn {
  readonly name: string;
  readonly type: string;
}

/** Maximum length of a REST response, in UTF-16 code units. BigQuery limits a page to 10 MB. */
const MAX_RESPONSE_LENGTH = 64 * 1024 * 1024;
/** Number of rows per chunk. */
const BATCH = 256;

/** A row in a REST response, such as `{"f":[{"v":"a"},{"v":null}]}`. */
export interface BigQueryRow {
  readonly f: readonly { readonly v?: unknown }[];
}

/** Returns true for a row of a REST response. Its values have no column names. */
export function isBigQueryRow(row: unknown): row is BigQueryRow {
  const { f, ...others } = Object(row) as { f?: unknown };
  return Array.isArray(f) && Object.keys(others).length === 0;
}

/**
 * Returns true if a string may be a REST response: it starts with the response kind or, if pretty-printed, with a line
 * that contains only a brace.
 */
export const isBigQueryResponse = (start: string): boolean =>
  /^\s*\{\s*(?:"kind"\s*:\s*"bigquery#|\n)/.test(start);

/**
 * Adds column names to a row's values.
 *
 * @param layouts column lists that the table may have, each with a different length.
 * @returns undefined if no layout has the row's number of columns.
 */
function cellsOf(
  { f: values }: BigQueryRow,
  layouts: readonly (readonly BigQueryColumn[])[],
): Row["cells"] | undefined {
  const columns = layouts.find(({ length }) => length === values.length);
  return (
    columns &&
    Object.fromEntries(columns.map(({ name, type }, index) => [name, cellOf(values[index]?.v, type)]))
  );
}

/**
 * Returns a cell's value. Timestamps are converted to ISO 8601, because the REST API writes them as seconds,
 * microseconds or strings.
 */
function cellOf(value: unknown, type: string): unknown {
  if (type !== "TIMESTAMP" || typeof value !== "string") return value;
  const read = eventTimeOf(value, /[.E]/i.test(value) ? "seconds" : "microseconds");
  return "time" in read ? read.time : value;
}

interface Response {
  readonly schema?: { readonly fields?: readonly BigQueryColumn[] };
  readonly rows?: readonly unknown[];
}

/**
 * Reads the rows in a REST response, which may be pretty-printed. Rows are numbered from 1.
 *
 * @param columns names of the columns to read.
 * @param layouts possible column lists if the response has no schema, each with a different length.
 * @throws SourceError for any other text.
 */
export async function* bigQueryRows(
  texts: AsyncIterable<string>,
  columns: readonly string[],
  layouts: readonly (readonly BigQueryColumn[])[],
): AsyncGenerator<readonly Row[]> {
  const { schema, rows = [] } = parsed(await joined(texts));
  if (schema?.fields !== undefined)
    requireColumns(
      columns,
      schema.fields.map(({ name }) => name),
    );
  const known = schema?.fields === undefined ? layouts : [schema.fields];
  for (let at = 0; at < rows.length; at += BATCH)
    yield rows.slice(at, at + BATCH).map((row, index) => rowOf(row, at + index + 1, known));
}

/** Converts a row of a REST response. */
export function rowOf(row: unknown, line: number, layouts: readonly (readonly BigQueryColumn[])[]): Row {
  if (!isBigQueryRow(row)) return { line, cells: {}, problem: 'is not a row such as {"f":[{"v":"a"}]}' };
  const cells = cellsOf(row, layouts);
  if (cells !== undefined) return { line, cells };
  const problem = `has ${row.f.length} values without names; import the whole response, with its schema`;
  return { line, cells: {}, problem };
}

async function joined(texts: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const text of texts) {
    all += text;
    if (all.length > MAX_RESPONSE_LENGTH)
      throw new SourceError(undefined, "is a response of more than 64 MiB; request smaller pages");
  }
  return all;
}

function parsed(text: string): Response {
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch (cause) {
    throw notRows(cause);
  }
  const { kind, rows } = Object(response) as { kind?: unknown; rows?: unknown };
  if (Array.isArray(rows) || (rows === undefined && String(kind).startsWith("bigquery#")))
    return response as Response;
  throw notRows();
}

const notRows = (cause?: unknown): SourceError =>
  new SourceError(
    undefined,
    "is neither JSON lines nor a complete response from BigQuery; write each object on one line, as jq -c does",
    { cause },
  );
