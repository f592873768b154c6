/** Distinct names, each with its index. */
export class NameList {
  readonly #indexes: Map<string, number>;

  /** @param first the names with the first indexes. */
  constructor(first: readonly string[] = []) {
    this.#indexes = new Map(first.map((name, index) => [name, index]));
  }

  /** The names in the order of their indexes. */
  get names(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /** Returns the indexes of names, in their order, and takes in those that are new. */
  indexesOf(names: readonly string[]): Int32Array {
    return Int32Array.from(names, (name) => this.indexOf(name));
  }

  /** Returns the index of a name, and takes it in if it is new. */
  indexOf(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(name, index);
    return index;
  }
}
