/** Counts by two names, such as requests by protocol and status. */
export class Tally {
  readonly #counts = new Map<string, Map<string, number>>();

  add(row: string, column: string, count = 1): void {
    const counts = this.#counts.get(row) ?? new Map<string, number>();
    counts.set(column, (counts.get(column) ?? 0) + count);
    this.#counts.set(row, counts);
  }

  /** The rows with their counts, both sorted by name. */
  rows(): { readonly name: string; readonly counts: readonly (readonly [string, number])[] }[] {
    return [...this.#counts]
      .map(([name, counts]) => ({ name, counts: [...counts].sort(byName) }))
      .sort((a, b) => byName([a.name], [b.name]));
  }
}

const byName = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  a < b ? -1 : a > b ? 1 : 0;
