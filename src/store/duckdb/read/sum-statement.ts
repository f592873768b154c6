import { COUNTS, type SumQuery } from "../../delivery-data-store.js";
import { sqlTemplate } from "../sql.js";
import type { EntryStatement } from "./entry-statement.js";
import { filterCondition } from "./filter-condition.js";

/** Exact: the engine adds integers and converts only the sum to a double. */
const COLUMNS = COUNTS.map((name) => `sum(${name})::DOUBLE`).join(", ");
/** Condition on rows with the number of an app: those of the app `$name`. */
export const ONE_APP = "app = (SELECT id FROM apps WHERE project = $project AND name = $name)";

/** Entries from events have messages. */
const WITHOUT_COUNTS = "count(*) FILTER (count_messages_accepted = 0)::DOUBLE";

const APP_NAME = "(SELECT name FROM apps WHERE id = group_app)";

const sumsText = sqlTemplate("sums.sql");
const estimateText = sqlTemplate("group-estimate.sql");

/**
 * Builds the statement for sums. It reads the day, the app id and the label, each NULL if not grouped by, and the
 * counts, with the number of entries without counts last if the query asks for it.
 */
export function sumStatement(query: SumQuery, limit: number): EntryStatement {
  const { words, parameters } = partsOf(query);
  const columns = query.originals === true ? `${COLUMNS}, ${WITHOUT_COUNTS}` : COLUMNS;
  return { sql: sumsText({ ...words, COLUMNS: columns }), parameters: { ...parameters, limit } };
}

/** Builds the statement that estimates the number of groups. */
export function groupEstimateStatement(query: SumQuery): EntryStatement {
  const { words, parameters } = partsOf(query);
  return { sql: estimateText(words), parameters };
}

function partsOf({ project, appId, until, filter, groupBy }: SumQuery) {
  const condition = filter && filterCondition(filter);
  return {
    words: {
      GROUP_DAY: groupBy.has("day") ? "day" : "NULL::INTEGER",
      GROUP_APP: groupBy.has("app") ? "app" : "NULL::INTEGER",
      APP_NAME: groupBy.has("app") ? APP_NAME : "NULL::VARCHAR",
      GROUP_LABEL: groupBy.has("label") ? "label" : "NULL::VARCHAR",
      APP: appId === undefined ? "true" : ONE_APP,
      FILTER: condition?.sql ?? "true",
    },
    parameters: {
      project: BigInt(project),
      until,
      ...(appId !== undefined && { name: appId }),
      ...condition?.parameters,
    },
  };
}
