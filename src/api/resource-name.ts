/** The parsed resource name that a call is about (AIP-122): the ids in `projects/p/apps/a`, by collection. */
export class ResourceName {
  readonly #ids: ReadonlyMap<string, string>;

  constructor(ids: Iterable<readonly [collection: string, id: string]>) {
    this.#ids = new Map(ids);
  }

  /**
   * Returns the id in a collection, such as `a` in `apps`.
   *
   * @throws Error if the method has no such collection in its path: contract and code contradict each other.
   */
  idIn(collection: string): string {
    const id = this.#ids.get(collection);
    if (id === undefined) throw new Error(`the method has no ${collection}/* in its path`);
    return id;
  }
}
