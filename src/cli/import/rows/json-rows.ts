import type { Row } from "../row.js";
import { SourceError } from "../row.js";
import { type BigQueryColumn, isBigQueryRow, rowOf as rowOfBigQuery } from "./bigquery-rows.js";

/** Maximum line length, in UTF-16 code units. */
const MAX_LINE_LENGTH = 1024 * 1024;

/**
 * Reads JSON lines: one object per line, or one row of a BigQuery REST response. Skips blank lines.
 *
 * @param layouts column lists that a BigQuery table may have, each with a different length.
 * @throws SourceError for an array, or a line that is too long.
 */
export async function* jsonRows(
  texts: AsyncIterable<string>,
  layouts: readonly (readonly BigQueryColumn[])[],
): AsyncGenerator<readonly Row[]> {
  let line = 1;
  let rest = "";
  for await (const text of texts) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_LENGTH) throw tooLong(line + lines.length);
    const first = line;
    line += lines.length;
    yield lines.flatMap((content, index) => rowOf(content, first + index, layouts));
  }
  yield rowOf(rest, line, layouts);
}

function rowOf(
  content: string,
  line: number,
  layouts: readonly (readonly BigQueryColumn[])[],
): readonly Row[] {
  if (content.trim() === "") return [];
  if (content.length > MAX_LINE_LENGTH) throw tooLong(line);
  // The array may extend over many lines.
  if (/^\s*\[/.test(content))
    throw new SourceError(line, "is an array; write its objects one per line, as jq -c '.[]' does");
  let cells: unknown;
  try {
    cells = JSON.parse(content);
  } catch {
    return [{ line, cells: {}, problem: "is not JSON" }];
  }
  if (typeof cells !== "object" || cells === null)
    return [{ line, cells: {}, problem: "is not a JSON object" }];
  return [
    isBigQueryRow(cells) ? rowOfBigQuery(cells, line, layouts) : { line, cells: cells as Row["cells"] },
  ];
}

const tooLong = (line: number): SourceError => new SourceError(line, "is longer than 1 MiB");
