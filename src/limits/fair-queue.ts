/**
 * A queue that is fair between callers. Each caller gets one item before any caller gets a second one. Callers are
 * served in order of arrival.
 */
export class FairQueue<T> {
  /** Callers with items in the queue. The next caller comes first. */
  readonly #waiting = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  push(caller: string, item: T): void {
    const items = this.#waiting.get(caller);
    if (items === undefined) this.#waiting.set(caller, [item]);
    else items.push(item);
  }

  /** Removes the next item. @returns `undefined` if the queue is empty. */
  shift(): T | undefined {
    for (const [caller, items] of this.#waiting) {
      const item = items.shift();
      this.#waiting.delete(caller);
      if (items.length > 0) this.#waiting.set(caller, items);
      return item;
    }
    return undefined;
  }

  /** Removes an item from any position in the queue. @returns true if the item was in the queue. */
  remove(caller: string, item: T): boolean {
    const items = this.#waiting.get(caller) ?? [];
    const index = items.indexOf(item);
    if (index < 0) return false;
    items.splice(index, 1);
    if (items.length === 0) this.#waiting.delete(caller);
    return true;
  }
}
