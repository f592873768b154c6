import type { DuckDBValue } from "@duckdb/node-api";
import type { SqlWords } from "../../../sql/template.js";
import {
  COUNTS,
  type CountsQuery,
  type EntryQuery,
  type HistoryQuery,
  type SumQuery,
} from "../../delivery-data-store.js";
import { readSql, sqlTemplate } from "../sql.js";
import { filterCondition } from "./filter-condition.js";

export interface Statement {
  /** SQL text. Queries of the same form have the same text. */
  readonly sql: string;
  readonly parameters: Readonly<Record<string, DuckDBValue>>;
}

/** Columns that follow the counts if a list includes originals. */
export const ORIGINAL_COLUMNS = ["original_form", "original_figures", "fetched_at::DOUBLE"] as const;

/** Columns with counts as doubles, which are exact up to 2⁵³ and avoid bigints. */
const COLUMNS = COUNTS.map((name) => `${name}::DOUBLE`).join(", ");
const COLUMNS_WITH_ORIGINALS = [COLUMNS, ...ORIGINAL_COLUMNS].join(", ");

/**
 * Templates of lists. All lists read the day, the label and {@link COUNTS}. Lists with originals also read
 * {@link ORIGINAL_COLUMNS}. In lists of all apps, the last column is the app id.
 */
const LISTS = listsOf(COLUMNS);
const LISTS_WITH_ORIGINALS = listsOf(COLUMNS_WITH_ORIGINALS);

/** SQL that lists a page of one app's entries. */
export const ENTRIES_SQL = LISTS.ofApp.unfiltered;

/** A day that is later than any other. It is the position before the first entry. */
const END_OF_DAYS = 0x7fff_ffff;

/** Returns the statement that lists entries. @param app the app's number, or `undefined` for all apps. */
export function entryStatement(query: EntryQuery, app: number | undefined): Statement {
  const { project, until, filter, after, limit, originals = false } = query;
  const lists = originals ? LISTS_WITH_ORIGINALS : LISTS;
  const ofApp = limit > MAX_TOP_ROWS ? lists.ofAppInLargePages : lists.ofApp;
  const list = app === undefined ? lists.ofAllApps : ofApp;
  const condition = filter && filterCondition(filter);
  const { day, label, appId: afterApp = "" } = after ?? { day: END_OF_DAYS, label: "" };
  return {
    sql: condition === undefined ? list.unfiltered : list.filtered(condition.sql),
    parameters: {
      project: BigInt(project),
      // The engine skips parts of the table by this parameter, but not by the position.
      until: Math.min(until, day),
      after_day: day,
      after_label: label,
      limit,
      ...(app === undefined ? { after_app: afterApp } : { app }),
      ...condition?.parameters,
    },
  };
}

/**
 * Maximum number of rows for which the engine finds the first rows without sorting all of them. It then reads newer
 * parts of the table first, and skips the rest.
 */
const MAX_TOP_ROWS = 5_000;

/** Returns list statements with some columns. */
function listsOf(columns: string) {
  const firstDay = readSql("read/first-day.sql", { FILTER: "\0" });
  return {
    ofApp: listTemplate("read/entries.sql", { COLUMNS: columns, FIRST_DAY: "true" }),
    ofAppInLargePages: listTemplate("read/entries.sql", { COLUMNS: columns, FIRST_DAY: firstDay }),
    ofAllApps: listTemplate("read/entries-of-all-apps.sql", { COLUMNS: columns }),
  };
}

/** Reads a list statement from the folder `sql`. */
function listTemplate(
  file: string,
  words: SqlWords,
): { readonly unfiltered: string; filtered(condition: string): string } {
  const parts = readSql(file, { ...words, FILTER: "\0" }).split("\0");
  return { unfiltered: parts.join("true"), filtered: (condition) => parts.join(condition) };
}

/**
 * Columns with sums of counts. They are exact, because the engine adds integers and converts only the sum to a double.
 */
const SUMS = COUNTS.map((name) => `sum(${name})::DOUBLE`).join(", ");
/** Column with the number of entries without counts. Entries from events always have messages. */
const WITHOUT_COUNTS = "count(*) FILTER (count_messages_accepted = 0)::DOUBLE";
const APP_NAME = "(SELECT name FROM apps WHERE id = group_app)";

const sumsTemplate = sqlTemplate("read/sums.sql");
const groupEstimateTemplate = sqlTemplate("read/group-estimate.sql");

/**
 * Returns the statement that sums counts. Its columns are the day, the app id and the label, each NULL if it is not
 * grouped by, and then the counts. If the query includes originals, the last column is the number of entries without
 * counts.
 *
 * @param app the app's number, or `undefined` for all apps.
 */
export function sumStatement(query: SumQuery, app: number | undefined, limit: number): Statement {
  const { words, parameters } = sumParts(query, app);
  const columns = query.originals === true ? `${SUMS}, ${WITHOUT_COUNTS}` : SUMS;
  return { sql: sumsTemplate({ ...words, COLUMNS: columns }), parameters: { ...parameters, limit } };
}

export function groupEstimateStatement(query: SumQuery, app: number | undefined): Statement {
  const { words, parameters } = sumParts(query, app);
  return { sql: groupEstimateTemplate(words), parameters };
}

function sumParts({ project, until, filter, groupBy }: SumQuery, app: number | undefined) {
  const condition = filter && filterCondition(filter);
  return {
    words: {
      GROUP_DAY: groupBy.has("day") ? "day" : "NULL::INTEGER",
      GROUP_APP: groupBy.has("app") ? "app" : "NULL::INTEGER",
      APP_NAME: groupBy.has("app") ? APP_NAME : "NULL::VARCHAR",
      GROUP_LABEL: groupBy.has("label") ? "label" : "NULL::VARCHAR",
      APP: app === undefined ? "true" : "app = $app",
      FILTER: condition?.sql ?? "true",
    },
    parameters: {
      project: BigInt(project),
      until,
      ...(app !== undefined && { app }),
      ...condition?.parameters,
    },
  };
}

const historiesTemplate = sqlTemplate("read/histories.sql");
const digestTemplate = sqlTemplate("read/digest.sql");

/**
 * Returns the statement that reads histories of labels, sorted by day. Its columns: the total number of rows; the index
 * of the label's first row if rows were sorted by label and day; the label, which is NULL except in its first row; the
 * day; and the counts.
 */
export function historyStatement(query: HistoryQuery, app: number): Statement {
  const { project, since, until, counts, labels } = query;
  return {
    sql: historiesTemplate({ COLUMNS: counts.map((name) => `${name}::DOUBLE`).join(", ") }),
    parameters: { project: BigInt(project), app, since, until, labels },
  };
}

/** Returns the statement that computes a digest of daily counts as one string. */
export function digestStatement({ project, since, until, counts }: CountsQuery, app: number): Statement {
  return {
    sql: digestTemplate({ COLUMNS: counts.join(", ") }),
    parameters: { project: BigInt(project), app, since, until },
  };
}
