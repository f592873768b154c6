import type { Row, Rows } from "./row.js";
import { SourceError } from "./row.js";
import type { RowMapper } from "./row-mapper.js";
import type { RowReport } from "./row-report.js";

/**
 * Writes the events of rows as NDJSON, each on the line of its row: blank lines stand for everything else. The line
 * numbers of the server's answers are then those of the file.
 *
 * @throws SourceError if a row is neither an event nor to be dropped, unless the report skips such rows.
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

/** The event of a row as JSON; empty if there is none. */
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
