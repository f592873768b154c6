import type { LabelHistory } from "../../delivery-data-store.js";

type Columns = Omit<LabelHistory, "label">;

/** Cuts rows that are sorted by label and day into the history of each label. */
export class HistoryCutter {
  readonly #histories: LabelHistory[] = [];
  #label = "";
  /** Columns of the label whose rows come now. */
  #pieces: Columns[] = [];

  /**
   * Copies rows, given in columns.
   *
   * @param labels the label in the first row of each, and null in all others.
   */
  add(labels: readonly (string | null)[], days: Int32Array, counts: readonly Float64Array[]): void {
    for (let from = 0, to = 1; from < labels.length; from = to++) {
      const label = labels[from] ?? null;
      while (to < labels.length && labels[to] === null) to++;
      if (label !== null) this.#beginLabel(label);
      this.#pieces.push({ days: days.slice(from, to), counts: counts.map((each) => each.slice(from, to)) });
    }
  }

  /** Returns the histories in the order of the rows. */
  finish(): readonly LabelHistory[] {
    this.#beginLabel("");
    return this.#histories;
  }

  #beginLabel(label: string): void {
    const [first, ...others] = this.#pieces;
    if (first !== undefined) this.#histories.push({ label: this.#label, ...others.reduce(joined, first) });
    this.#label = label;
    this.#pieces = [];
  }
}

const joined = (a: Columns, b: Columns): Columns => ({
  days: Int32Array.from([...a.days, ...b.days]),
  counts: a.counts.map((counts, index) => Float64Array.from([...counts, ...(b.counts[index] ?? [])])),
});
