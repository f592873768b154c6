/** What callers wait for, in turns: one of each caller comes before the next of any, in the order in which they came. */
export class FairQueue<T> {
  /** Only callers that wait, the next one first. */
  readonly #waiting = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  push(caller: string, item: T): void {
    const items = this.#waiting.get(caller);
    if (items === undefined) this.#waiting.set(caller, [item]);
    else items.push(item);
  }

  /** Takes what is next; undefined if nobody waits. */
  shift(): T | undefined {
    for (const [caller, items] of this.#waiting) {
      const item = items.shift();
      this.#waiting.delete(caller);
      if (items.length > 0) this.#waiting.set(caller, items);
      return item;
    }
    return undefined;
  }

  /** Takes an item out of its turn. @returns whether it waited. */
  remove(caller: string, item: T): boolean {
    const items = this.#waiting.get(caller) ?? [];
    const index = items.indexOf(item);
    if (index < 0) return false;
    items.splice(index, 1);
    if (items.length === 0) this.#waiting.delete(caller);
    return true;
  }
}
