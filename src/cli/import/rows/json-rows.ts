import type { Row } from "../row.js";
import { SourceError } from "../source-error.js";

/** Longest line, in UTF-16 code units. */
const MAX_LINE_LENGTH = 1024 * 1024;

/**
 * Reads JSON lines: one object per line. Blank lines are skipped.
 *
 * @throws SourceError for other lines.
 */
export async function* jsonRows(texts: AsyncIterable<string>): AsyncGenerator<readonly Row[]> {
  let line = 1;
  let rest = "";
  for await (const text of texts) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_LENGTH) throw tooLong(line + lines.length);
    const first = line;
    line += lines.length;
    yield lines.flatMap((content, index) => rowOf(content, first + index));
  }
  yield rowOf(rest, line);
}

function rowOf(content: string, line: number): readonly Row[] {
  if (content.trim() === "") return [];
  if (content.length > MAX_LINE_LENGTH) throw tooLong(line);
  let cells: unknown;
  try {
    cells = JSON.parse(content);
  } catch (cause) {
    throw new SourceError(line, "is not JSON", { cause });
  }
  if (Array.isArray(cells))
    throw new SourceError(line, "is an array; write its objects one per line, as jq -c '.[]' does");
  if (typeof cells !== "object" || cells === null) throw new SourceError(line, "is not a JSON object");
  return [{ line, cells: cells as Row["cells"] }];
}

const tooLong = (line: number): SourceError => new SourceError(line, "is longer than 1 MiB");
