import type { Row, Rows } from "./row.js";
import { SourceError } from "./row.js";
import type { RowMapper } from "./row-mapper.js";
import type { RowReport } from "./row-report.js";

/**
 * Writes rows as NDJSON events. Blank lines keep each event on the line number of its row, so that line numbers in the
 * server's response match the file.
 *
 * @throws SourceError for an invalid row, unless invalid rows are skipped.
 */
export async function* eventLines(
  rows: Rows,
  mapper: RowMapper,
  report: RowReport,
): AsyncGenerator<Uint8Array> {
  let line = 1;
  for await (const some of rows) {
    let text = "";
    for (const row of some) {
      report.read(row);
      text += `${"\n".repeat(row.line - line)}${eventOf(row, mapper, report)}\n`;
      line = row.line + 1;
    }
    if (text !== "") yield Buffer.from(text);
  }
}

/** Returns a row's event as JSON, or an empty string if the row has no event. */
function eventOf(row: Row, mapper: RowMapper, report: RowReport): string {
  try {
    const mapped = mapper.map(row);
    if ("event" in mapped) return JSON.stringify(mapped.event);
    report.dropped(mapped.dropped);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    report.invalid(row, error);
  }
  return "";
}
