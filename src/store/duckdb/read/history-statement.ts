import type { HistoryQuery } from "../../delivery-data-store.js";
import { sqlTemplate } from "../sql.js";
import type { EntryStatement } from "./entry-statement.js";

const historiesText = sqlTemplate("histories.sql");

/**
 * Builds the statement for histories. It reads the label (NULL but in its first row), the day and the
 * counts, sorted by label and day.
 */
export function historyStatement(query: HistoryQuery): EntryStatement {
  const { project, appId, since, until, counts, labels } = query;
  return {
    // Counts are read as doubles, which are exact up to 2⁵³ and avoid bigints.
    sql: historiesText({ columns: counts.map((name) => `${name}::DOUBLE`).join(", ") }),
    parameters: { project: BigInt(project), name: appId, since, until, labels },
  };
}
