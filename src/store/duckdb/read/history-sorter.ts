import { at } from "../../../model/collections.js";
import type { LabelHistory } from "../../delivery-data-store.js";

/** Sorts rows, which come by day, into the histories of their labels. */
export class HistorySorter {
  /** The columns of all histories, one after the other. */
  readonly #days: Int32Array;
  readonly #counts: readonly Float64Array[];
  /** Number of rows that have come of the history that begins at a place. */
  readonly #lengths: Uint32Array;
  /** Labels by the place where their history begins. */
  readonly #labels = new Map<number, string>();

  /**
   * @param rows Number of rows that will come.
   * @param counts Number of columns of counts.
   */
  constructor(rows: number, counts: number) {
    this.#days = new Int32Array(rows);
    this.#counts = Array.from({ length: counts }, () => new Float64Array(rows));
    this.#lengths = new Uint32Array(rows);
  }

  /**
   * Copies rows, given in columns.
   *
   * @param places where the history of each row begins.
   * @param labelOf returns the label of a row. It is asked of the first row of each history alone.
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

  /** Returns the histories in the order of their places. */
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
