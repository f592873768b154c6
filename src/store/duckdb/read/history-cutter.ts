import type { LabelHistory } from "../../delivery-data-store.js";

type Columns = Omit<LabelHistory, "label">;

/** Cuts rows that are sorted by label and day into the history of each label. */
export class HistoryCutter {
  readonly #histories: LabelHistory[] = [];
  #label = "";
  /** Columns of the label whose rows come now. */
  #pieces: Columns[] = [];

  /** Copies rows, given in columns. */
  add(labels: readonly string[], days: Int32Array, counts: readonly Float64Array[]): void {
    for (let from = 0, to = 0; from < labels.length; from = to) {
      const label = labels[from] ?? "";
      while (to < labels.length && labels[to] === label) to++;
      if (label !== this.#label) this.#endLabel();
      this.#label = label;
      this.#pieces.push({ days: days.slice(from, to), counts: counts.map((each) => each.slice(from, to)) });
    }
  }

  /** Returns the histories in the order of the rows. */
  finish(): readonly LabelHistory[] {
    this.#endLabel();
    return this.#histories;
  }

  #endLabel(): void {
    const [first, ...others] = this.#pieces;
    this.#pieces = [];
    if (first === undefined) return;
    this.#histories.push({ label: this.#label, ...others.reduce(joined, first) });
  }
}

const joined = (a: Columns, b: Columns): Columns => ({
  days: Int32Array.from([...a.days, ...b.days]),
  counts: a.counts.map((counts, index) => Float64Array.from([...counts, ...(b.counts[index] ?? [])])),
});
