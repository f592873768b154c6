/** A fixed set of items, each used by one caller at a time; further callers wait in order of arrival. */
export class Pool<T> {
  readonly #size: number;
  readonly #free: T[];
  readonly #waiting: ((item: T) => void)[] = [];

  constructor(items: readonly T[]) {
    this.#size = items.length;
    this.#free = [...items];
  }

  /** @throws the reason of `signal` if it aborts before the caller's turn. */
  async use<R>(work: (item: T) => Promise<R>, signal?: AbortSignal): Promise<R> {
    signal?.throwIfAborted();
    const item = this.#free.pop() ?? (await this.#turn(signal));
    try {
      return await work(item);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(item);
      else next(item);
    }
  }

  /** Runs `work` while nobody else uses an item; further callers wait. Supports one such call at a time. */
  async takeAll<R>(work: () => Promise<R>): Promise<R> {
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const uses: Promise<void>[] = [];
    try {
      const taken = Array.from(
        { length: this.#size },
        () =>
          new Promise<void>((resolve) => {
            const hold = (): Promise<void> => {
              resolve();
              return released;
            };
            uses.push(this.use(hold));
          }),
      );
      await Promise.all(taken);
      return await work();
    } finally {
      release();
      await Promise.all(uses);
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(signal?.reason);
      };
      const take = (item: T): void => {
        signal?.removeEventListener("abort", leave);
        resolve(item);
      };
      this.#waiting.push(take);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }
}
