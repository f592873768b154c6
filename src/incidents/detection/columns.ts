/**
 * Column reads that throw if a cell is absent, because a default number would be a wrong result. Each kind of array has
 * its own function, because the compiler optimizes reads of a single kind. The loops over all series of a day read
 * `?? Number.NaN` instead, without a call: an absent cell then makes every dependent result NaN.
 */

/** Reads a number from a column. */
export function read(column: Float64Array, row: number): number {
  return column[row] ?? missing(row);
}

export function add(column: Float64Array, row: number, amount: number): void {
  column[row] = read(column, row) + amount;
}

export function readDay(days: Int32Array, row: number): number {
  return days[row] ?? missing(row);
}

/** Reads an outcome from a column. */
export function readOutcome(outcomes: Uint8Array, row: number): number {
  return outcomes[row] ?? missing(row);
}

function missing(row: number): never {
  throw new RangeError(`row ${row} is out of range`);
}
