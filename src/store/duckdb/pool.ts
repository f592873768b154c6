/** A fixed set of things that serve one caller at a time; callers wait their turn in order. */
export class Pool<T> {
  readonly #free: T[];
  readonly #waiting: ((item: T) => void)[] = [];

  constructor(items: readonly T[]) {
    this.#free = [...items];
  }

  async use<R>(work: (item: T) => Promise<R>): Promise<R> {
    const item = this.#free.pop() ?? (await new Promise<T>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(item);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(item);
      else next(item);
    }
  }
}
