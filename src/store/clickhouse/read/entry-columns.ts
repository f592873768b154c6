import { COUNTS, type Dimension } from "../../delivery-data-store.js";
import type { RowReader } from "../row-binary.js";

/** The dimensions of entries of one app, and of all. */
export const ONE_APP: ReadonlySet<Dimension> = new Set(["day", "label"]);
export const ALL_APPS: ReadonlySet<Dimension> = new Set(["day", "label", "app"]);

/** The columns of a statement, in the order in which {@link readRows} reads them. */
export const columnsOf = (dimensions: ReadonlySet<Dimension>, counts: string): string =>
  [
    ...(["day", "label"] as const).filter((dimension) => dimensions.has(dimension)),
    counts,
    ...(["app"] as const).filter((dimension) => dimensions.has(dimension)),
  ].join(", ");

/**
 * Rows in columns, of which those are empty that a statement does not read.
 *
 * @param further number of columns of integers behind the counts.
 */
export function readRows(rows: RowReader, dimensions: ReadonlySet<Dimension>, further = 0) {
  const [hasDay, hasLabel, hasApp] = (["day", "label", "app"] as const).map((one) => dimensions.has(one));
  const days: number[] = [];
  const labels: string[] = [];
  const apps: string[] = [];
  const values: number[][] = Array.from({ length: COUNTS.length + further }, () => []);
  let length = 0;
  for (; !rows.isAtEnd; length++) {
    if (hasDay) days.push(rows.int32());
    if (hasLabel) labels.push(rows.text());
    for (const column of values) column.push(rows.count());
    if (hasApp) apps.push(rows.text());
  }
  const columns = values.map((column) => Float64Array.from(column));
  return {
    length,
    days,
    labels,
    apps,
    counts: columns.slice(0, COUNTS.length),
    further: columns.slice(COUNTS.length),
  };
}
