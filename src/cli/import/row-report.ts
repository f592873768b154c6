import type { Row } from "./row.js";

/** Most reasons that are counted apart: a column may have any number of values. */
const MAX_REASONS = 30;

/** Gathers what a user must know about the rows of a file. */
export class RowReport {
  #rows = 0;
  readonly #dropped = new Map<string, number>();
  readonly #unseen: Set<string>;

  /** @param columns names of the columns that are needed. */
  constructor(columns: readonly string[]) {
    this.#unseen = new Set(columns);
  }

  /** Counts a row that was read. */
  read({ cells }: Row): void {
    this.#rows++;
    for (const column of this.#unseen) if (Object.hasOwn(cells, column)) this.#unseen.delete(column);
  }

  /** Counts a row that became no event. */
  dropped(reason: string): void {
    const known = this.#dropped.has(reason) || this.#dropped.size < MAX_REASONS;
    const counted = known ? reason : "other reasons";
    this.#dropped.set(counted, (this.#dropped.get(counted) ?? 0) + 1);
  }

  /** Says what was dropped, most frequent reason first, and which columns no row had: a line for each. */
  notes(): readonly string[] {
    const counts = [...this.#dropped].sort(([, a], [, b]) => b - a);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const reasons = counts.map(([reason, count]) => `${reason}: ${count}`).join(", ");
    return [
      ...(total > 0 ? [`${total} of ${this.#rows} rows dropped (${reasons})`] : []),
      ...(this.#rows > 0 && this.#unseen.size > 0 ? [`no row has ${[...this.#unseen].join(", ")}`] : []),
    ];
  }
}
