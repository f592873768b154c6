/**
 * A queue that serves callers in turns: each caller gets one item before any caller gets another, in order of
 * arrival.
 */
export class FairQueue<T> {
  /** Callers with waiting items, the next one first. */
  readonly #waiting = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  push(caller: string, item: T): void {
    const items = this.#waiting.get(caller);
    if (items === undefined) this.#waiting.set(caller, [item]);
    else items.push(item);
  }

  /** Removes the next item; returns `undefined` if the queue is empty. */
  shift(): T | undefined {
    for (const [caller, items] of this.#waiting) {
      const item = items.shift();
      this.#waiting.delete(caller);
      if (items.length > 0) this.#waiting.set(caller, items);
      return item;
    }
    return undefined;
  }

  /** Removes an item out of turn. @returns true if it was waiting. */
  remove(caller: string, item: T): boolean {
    const items = this.#waiting.get(caller) ?? [];
    const index = items.indexOf(item);
    if (index < 0) return false;
    items.splice(index, 1);
    if (items.length === 0) this.#waiting.delete(caller);
    return true;
  }
}
