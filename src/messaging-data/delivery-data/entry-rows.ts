import type { EntryColumns } from "../../store/delivery-data-store.js";

/** Returns some of the rows of entries, in the order given. */
export function rowsOf(
  { days, appIds, labels, counts, originals, fetchedAt }: EntryColumns,
  rows: readonly number[],
): EntryColumns {
  return {
    length: rows.length,
    days: numbersOf(rows, (row) => days[row] ?? 0),
    appIds: rows.map((row) => appIds[row] ?? ""),
    labels: rows.map((row) => labels[row] ?? ""),
    counts: counts.map((column) => numbersOf(rows, (row) => column[row] ?? 0)),
    ...(originals && { originals: rows.map((row) => originals[row] ?? "") }),
    ...(fetchedAt && { fetchedAt: numbersOf(rows, (row) => fetchedAt[row] ?? 0) }),
  };
}

/** Makes a column of numbers; `Float64Array.from` takes several times as long. */
export function numbersOf<T>(rows: readonly T[], numberOf: (row: T) => number): Float64Array {
  const column = new Float64Array(rows.length);
  rows.forEach((row, index) => {
    column[index] = numberOf(row);
  });
  return column;
}

/** Returns the number of entries in batches. */
export const lengthOf = (batches: readonly EntryColumns[]): number =>
  batches.reduce((sum, { length }) => sum + length, 0);
