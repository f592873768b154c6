import { at } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import type { EntryColumns, EntryPosition, EntrySelection } from "../../store/delivery-data-store.js";

/** Selects rows from columns, in the order of `rows`. */
export function rowsOf(
  { days, appIds, labels, counts, originals, fetchedAt }: EntryColumns,
  rows: readonly number[],
): EntryColumns {
  return {
    length: rows.length,
    days: numbersOf(rows, (row) => at(days, row)),
    appIds: rows.map((row) => at(appIds, row)),
    labels: rows.map((row) => at(labels, row)),
    counts: counts.map((column) => numbersOf(rows, (row) => valueAt(column, row))),
    ...(originals && { originals: rows.map((row) => at(originals, row)) }),
    ...(fetchedAt && { fetchedAt: numbersOf(rows, (row) => at(fetchedAt, row)) }),
  };
}

/** Creates a column of numbers. This is several times faster than `Float64Array.from`. */
export function numbersOf<T>(rows: readonly T[], numberOf: (row: T) => number): Float64Array {
  const column = new Float64Array(rows.length);
  rows.forEach((row, index) => {
    column[index] = numberOf(row);
  });
  return column;
}

/** Returns a column's value in a row. @throws RangeError if the store has not returned such a column or row. */
export function valueAt(column: Float64Array | undefined, row: number): number {
  const value = column?.[row];
  if (value === undefined) throw new RangeError(`the store returned no value in row ${row}`);
  return value;
}

export const lengthOf = (batches: readonly EntryColumns[]): number =>
  batches.reduce((sum, { length }) => sum + length, 0);

/** Returns a row's position in the list. The position omits the app if the list has only one app. */
export const placeOf = (
  { days, appIds, labels }: Pick<EntryColumns, "days" | "appIds" | "labels">,
  row: number,
  { appId }: Pick<EntrySelection, "appId">,
): EntryPosition => ({
  day: at(days, row),
  label: at(labels, row),
  ...(appId === undefined && { appId: at(appIds, row) }),
});

/** Encodes a list position for a page token. */
export const writePlace = ({ day, label, appId }: EntryPosition): string =>
  JSON.stringify(appId === undefined ? [day, label] : [day, label, appId]);

/** Decodes a position that {@link writePlace} encoded. */
export function readPlace(text: string): EntryPosition {
  const [day, label, appId] = JSON.parse(text) as [Day, string, string?];
  return { day, label, ...(appId !== undefined && { appId }) };
}
