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

/** Later than any day: the position before the first entry. */
const END_OF_DAYS = 0x7fff_ffff;

/** Both read the day, the label and {@link COUNTS}; the second also reads the app id, last. */
const ONE_APP = textOf("entries.sql");
const ALL_APPS = textOf("entries-of-all-apps.sql");

/** SQL text of the statement for the unfiltered entries of one app. */
export const ENTRIES_SQL = ONE_APP.whole;

/** Builds the statement for a query. */
export function entryStatement({ project, appId, until, filter, after, limit }: EntryQuery): EntryStatement {
  const text = appId === undefined ? ALL_APPS : ONE_APP;
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
function textOf(file: string): { readonly whole: string; filtered(condition: string): string } {
  const parts = readSql(file, { columns: COLUMNS, filter: "\0" }).split("\0");
  return { whole: parts.join("true"), filtered: (condition) => parts.join(condition) };
}
