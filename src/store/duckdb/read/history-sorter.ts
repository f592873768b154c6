import { at } from "../../../model/collections.js";
import type { LabelHistory } from "../../delivery-data-store.js";

/** Sorts rows, which arrive by day, into the histories of labels. */
export class HistorySorter {
  /** Days of all histories, one after another. */
  readonly #days: Int32Array;
  readonly #counts: readonly Float64Array[];
  /** Number of rows that each history has so far, by index of its first row. */
  readonly #lengths: Uint32Array;
  /** Labels, by index of their first row. */
  readonly #labels = new Map<number, string>();

  /**
   * @param rows total number of rows.
   * @param counts number of count columns.
   */
  constructor(rows: number, counts: number) {
    this.#days = new Int32Array(rows);
    this.#counts = Array.from({ length: counts }, () => new Float64Array(rows));
    this.#lengths = new Uint32Array(rows);
  }

  /**
   * Copies rows from columns.
   *
   * @param places index of the first row of each row's history.
   * @param labelOf returns a row's label. Called only for the first row of each history.
   */
  add(
    places: Int32Array,
    labelOf: (row: number) => string,
    days: Int32Array,
    counts: readonly Float64Array[],
  ): void {
    const targets = places.map((place, row) => {
      const length = at(this.#lengths, place);
      if (length === 0) this.#labels.set(place, labelOf(row));
      this.#lengths[place] = length + 1;
      return place + length;
    });
    scatter(days, targets, this.#days);
    for (const [index, column] of this.#counts.entries()) scatter(at(counts, index), targets, column);
  }

  /** Returns the histories, sorted by first row index. */
  finish(): readonly LabelHistory[] {
    return [...this.#labels]
      .sort(([a], [b]) => a - b)
      .map(([from, label]) => {
        const to = from + at(this.#lengths, from);
        return {
          label,
          days: this.#days.subarray(from, to),
          counts: this.#counts.map((column) => column.subarray(from, to)),
        };
      });
  }
}

function scatter(
  values: ArrayLike<number>,
  targets: Int32Array,
  column: { [index: number]: number; readonly length: number },
): void {
  for (let row = 0; row < targets.length; row++) column[at(targets, row)] = at(values, row);
}
