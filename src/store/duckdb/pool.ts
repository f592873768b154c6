import { withResolver } from "@waybill/client/support";
import { limitWait } from "../../limits/limit-wait.js";

/** A fixed set of items, each for one caller at a time. Other callers wait in order of arrival. */
export class Pool<T extends NonNullable<unknown>> {
  readonly #size: number;
  readonly #free: T[];
  readonly #waiting: ((item: T) => void)[] = [];
  readonly #maxWaitMs: number;

  /** @param maxWaitMs maximum wait in milliseconds. Infinite for pools that requests do not use. */
  constructor(items: readonly T[], maxWaitMs: number) {
    this.#size = items.length;
    this.#free = [...items];
    this.#maxWaitMs = maxWaitMs;
  }

  /** True if {@link use} would not have to wait. */
  get hasFree(): boolean {
    return this.#free.length > 0;
  }

  /**
   * Calls `work` with a free item.
   *
   * @throws WaitTimeoutError after the maximum wait; the abort reason of `signal` if it aborts during the wait.
   */
  use<R>(work: (item: T) => Promise<R>, signal?: AbortSignal): Promise<R> {
    return this.#use(work, this.#maxWaitMs, signal);
  }

  async #use<R>(work: (item: T) => Promise<R>, maxWaitMs: number, signal?: AbortSignal): Promise<R> {
    signal?.throwIfAborted();
    const item = this.#free.pop() ?? (await this.#enqueue(maxWaitMs, signal));
    try {
      return await work(item);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(item);
      else next(item);
    }
  }

  /** Calls `work` while no item is in use. Other callers wait. Only one such call may be made at a time. */
  async useAll<R>(work: () => Promise<R>): Promise<R> {
    const { promise: released, resolve: release } = withResolver();
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
            uses.push(this.#use(hold, Number.POSITIVE_INFINITY));
          }),
      );
      await Promise.all(taken);
      return await work();
    } finally {
      release();
      await Promise.all(uses);
    }
  }

  #enqueue(maxWaitMs: number, signal: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown): void => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(reason);
      };
      const endWait = limitWait(leave, signal, maxWaitMs);
      const take = (item: T): void => {
        endWait();
        resolve(item);
      };
      this.#waiting.push(take);
    });
  }
}
