import { at } from "../../model/collections.js";
import type { ProjectNumber } from "../../model/names.js";
import { COUNTS, type Dimension, type EntryColumns } from "../delivery-data-store.js";
import { type RowReader, RowWriter } from "./row-binary.js";
import { type Place, tableIn } from "./tables.js";

const encoder = new TextEncoder();

/** Columns other than the dimensions, in the order of rows. */
const COUNT_COLUMNS = COUNTS.join(", ");
const ORIGINAL_COLUMNS = "fetched_at, original";

export const insertEntries = (place: Place): string =>
  `INSERT INTO ${tableIn(place, "entries")} (project, day, app, label, version, ${COUNT_COLUMNS}, ${ORIGINAL_COLUMNS})`;

/** Converts entries to rows. Entries from events have an empty `original`. */
export function entryRows(project: ProjectNumber, version: number, batches: readonly EntryColumns[]): Buffer {
  const rows = new RowWriter();
  const projectNumber = BigInt(project);
  for (const { length, days, appIds, labels, counts, originals, fetchedAt } of batches) {
    for (let i = 0; i < length; i++) {
      rows.uint64(projectNumber);
      rows.int32(at(days, i));
      rows.text(encoder.encode(at(appIds, i)));
      rows.text(encoder.encode(at(labels, i)));
      rows.count(version);
      for (const column of counts) rows.count(at(column, i));
      rows.count(fetchedAt === undefined ? 0 : at(fetchedAt, i));
      rows.text(encoder.encode(originals === undefined ? "" : at(originals, i)));
    }
  }
  return rows.bytes;
}

/** Describes which columns a result has. */
export interface RowForm {
  readonly dimensions: ReadonlySet<Dimension>;
  readonly counts: string;
  /** SQL expression for an additional integer. */
  readonly further?: string | undefined;
  readonly originals?: boolean;
}

export function columnsOf({ dimensions, counts, further, originals = false }: RowForm): string {
  const named = (["day", "label", "app"] as const).filter((dimension) => dimensions.has(dimension));
  const others = [
    counts,
    ...(further === undefined ? [] : [further]),
    ...(originals ? [ORIGINAL_COLUMNS] : []),
  ];
  return [...named, ...others].join(", ");
}

/** Reads rows into columns. Columns that are not in the rows are empty. */
export function readRows(rows: RowReader, { dimensions, further, originals = false }: RowForm) {
  const [hasDay, hasLabel, hasApp] = (["day", "label", "app"] as const).map((one) => dimensions.has(one));
  const days: number[] = [];
  const labels: string[] = [];
  const apps: string[] = [];
  const values: number[][] = Array.from(
    { length: COUNTS.length + (further === undefined ? 0 : 1) },
    () => [],
  );
  const fetchedAt: number[] = [];
  const texts: string[] = [];
  let length = 0;
  for (; !rows.isAtEnd; length++) {
    if (hasDay) days.push(rows.int32());
    if (hasLabel) labels.push(rows.text());
    if (hasApp) apps.push(rows.text());
    for (const column of values) column.push(rows.count());
    if (!originals) continue;
    fetchedAt.push(rows.count());
    texts.push(rows.text());
  }
  const columns = values.map((column) => Float64Array.from(column));
  return {
    length,
    days,
    labels,
    apps,
    counts: columns.slice(0, COUNTS.length),
    further: columns[COUNTS.length],
    // Either all entries of a list have originals, or none.
    ...(originals && !texts.includes("") && { originals: texts, fetchedAt }),
  };
}
