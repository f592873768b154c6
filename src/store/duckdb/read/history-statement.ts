import type { CountsQuery, HistoryQuery } from "../../delivery-data-store.js";
import { sqlTemplate } from "../sql.js";
import type { EntryStatement } from "./entry-statement.js";

const historiesText = sqlTemplate("histories.sql");
const digestText = sqlTemplate("digest.sql");

/**
 * Builds the statement for histories. It reads, sorted by day: the number of all rows, the place where the history of the
 * label begins when they are sorted by label and day, the label (NULL but in its first row), the day, and the counts.
 */
export function historyStatement(query: HistoryQuery): EntryStatement {
  const { project, appId, since, until, counts, labels } = query;
  return {
    // Counts are read as doubles, which are exact up to 2⁵³ and avoid bigints.
    sql: historiesText({ COLUMNS: counts.map((name) => `${name}::DOUBLE`).join(", ") }),
    parameters: { project: BigInt(project), name: appId, since, until, labels },
  };
}

/** Builds the statement for a digest of daily counts. It reads one row with one text. */
export function digestStatement({ project, appId, since, until, counts }: CountsQuery): EntryStatement {
  return {
    sql: digestText({ COLUMNS: counts.join(", ") }),
    parameters: { project: BigInt(project), name: appId, since, until },
  };
}
