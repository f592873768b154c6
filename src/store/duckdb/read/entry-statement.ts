import type { DuckDBValue } from "@duckdb/node-api";
import { COUNTS, type EntryQuery } from "../../delivery-data-store.js";
import { readSql } from "../sql.js";
import { filterCondition } from "./filter-condition.js";

/** A statement with its parameters. */
export interface EntryStatement {
  /** Identical for all queries of the same shape. */
  readonly sql: string;
  readonly parameters: Readonly<Record<string, DuckDBValue>>;
}

/** Counts are read as doubles, which are exact up to 2⁵³ and avoid bigints. */
const COLUMNS = COUNTS.map((name) => `${name}::DOUBLE`).join(", ");

/** The columns that follow the counts in a list with originals. */
export const ORIGINAL_COLUMNS = ["original_form", "original_figures", "fetched_at::DOUBLE"] as const;

const COLUMNS_WITH_ORIGINALS = [COLUMNS, ...ORIGINAL_COLUMNS].join(", ");

/** Later than any day: the position before the first entry. */
const END_OF_DAYS = 0x7fff_ffff;

/**
 * All read the day, the label and {@link COUNTS}; with originals, also {@link ORIGINAL_COLUMNS}; of all apps, also the
 * app id, last.
 */
const ONE_APP = textOf("entries.sql", COLUMNS);
const ALL_APPS = textOf("entries-of-all-apps.sql", COLUMNS);
const ONE_APP_ORIGINALS = textOf("entries.sql", COLUMNS_WITH_ORIGINALS);
const ALL_APPS_ORIGINALS = textOf("entries-of-all-apps.sql", COLUMNS_WITH_ORIGINALS);

/** SQL text of the statement for the unfiltered entries of one app. */
export const ENTRIES_SQL = ONE_APP.whole;

/** Builds the statement for a query. */
export function entryStatement(query: EntryQuery): EntryStatement {
  const { project, appId, until, filter, after, limit, originals = false } = query;
  const [ofOneApp, ofAllApps] = originals ? [ONE_APP_ORIGINALS, ALL_APPS_ORIGINALS] : [ONE_APP, ALL_APPS];
  const text = appId === undefined ? ofAllApps : ofOneApp;
  const condition = filter && filterCondition(filter);
  return {
    sql: condition === undefined ? text.whole : text.filtered(condition.sql),
    parameters: {
      project: BigInt(project),
      until,
      after_day: after?.day ?? END_OF_DAYS,
      after_label: after?.label ?? "",
      limit,
      ...(appId === undefined ? { after_app: after?.appId ?? "" } : { name: appId }),
      ...condition?.parameters,
    },
  };
}

/** Reads a statement from the folder `sql`, for use without and with a filter. */
function textOf(
  file: string,
  columns: string,
): { readonly whole: string; filtered(condition: string): string } {
  const parts = readSql(file, { COLUMNS: columns, FILTER: "\0" }).split("\0");
  return { whole: parts.join("true"), filtered: (condition) => parts.join(condition) };
}
