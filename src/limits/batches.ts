import { withResolver } from "@waybill/client/support";
import { FairQueue } from "./fair-queue.js";
import { limitWait } from "./limit-wait.js";
import { MAX_WAIT_MS } from "./request-limits.js";

export interface BatchOptions<Item, Result> {
  /** Size at which a batch is full. Further items wait for the next batch. */
  readonly maxSize: number;
  /** Minimum size of a large item, which waits for other work of its key ({@link Batches.ahead}). By default, none is. */
  readonly largeSize?: number;
  /**
   * Processes a batch. If it throws an error, all items of the batch are rejected with it.
   *
   * @returns one outcome for each item, in the same order.
   */
  readonly run: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>;
  /**
   * Wraps the processing of each batch, for example in a lease. Items join the batch until this function calls `batch`.
   */
  readonly within?: (batch: () => Promise<void>) => Promise<void>;
}

/**
 * Time after which large items no longer wait for other work of their key, in milliseconds. The same time remains for
 * waiting for earlier batches.
 */
const MAX_AHEAD = MAX_WAIT_MS / 2;

interface Pending<Item, Result> {
  readonly item: Item;
  readonly size: number;
  readonly endWait: () => void;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Group commit: items that wait at the same time are processed in one batch, and share a fixed cost such as a disk
 * flush. One batch runs at a time. The queue is fair between keys, so that a small item of one project does not have to
 * wait for all large items of another.
 */
export class Batches<Item, Result = void> {
  readonly #options: BatchOptions<Item, Result>;
  readonly #pending = new FairQueue<Pending<Item, Result>>();
  readonly #pauses: (() => Promise<void>)[] = [];
  /** Promises for which large items wait, by key. */
  readonly #ahead = new Map<string, Promise<void>>();
  #running: Promise<void> | undefined;

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options;
  }

  /**
   * Processes an item in a batch with other items.
   *
   * @param signal aborts when the caller no longer needs the result. With a signal, the wait is limited to
   * {@link MAX_WAIT_MS}. Omitted for the server's own work, which may wait without a limit.
   * @throws the reason with which `run` rejects the item; WaitTimeoutError if the batch does not begin in time; the abort
   * reason of `signal` if it aborts before. In the last two cases, the item is not processed.
   */
  add(key: string, item: Item, size: number, signal?: AbortSignal): Promise<Result> {
    const { largeSize = Number.POSITIVE_INFINITY } = this.#options;
    const after = size >= largeSize ? this.#ahead.get(key) : undefined;
    return new Promise((resolve, reject) => {
      let isOver = false;
      const giveUp = (reason: unknown): void => {
        isOver = true;
        this.#pending.remove(key, pending);
        reject(reason);
      };
      const maxMs = signal === undefined ? Number.POSITIVE_INFINITY : MAX_WAIT_MS;
      const endWait = limitWait(giveUp, signal, maxMs);
      const pending = { item, size, endWait, resolve, reject };
      const enter = (): void => {
        if (isOver) return;
        this.#pending.push(key, pending);
        this.#running ??= this.#run();
      };
      if (after === undefined) enter();
      else void after.then(enter);
    });
  }

  /**
   * Runs other work for a key before the key's large items, which wait for a few seconds. For work that uses all cores:
   * large items at the same time would not complete sooner, and would make the other work much slower.
   */
  async ahead<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { promise: ended, resolve: end } = withResolver();
    const release = (): void => {
      if (this.#ahead.get(key) === ended) this.#ahead.delete(key);
      end();
    };
    this.#ahead.set(key, ended);
    const timer = setTimeout(release, MAX_AHEAD);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  /** Runs a function between two batches. */
  pause(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pauses.push(() => work().then(resolve, reject));
      this.#running ??= this.#run();
    });
  }

  /** Resolves when no batch is in progress. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { within = (batch) => batch() } = this.#options;
    while (!this.#pending.isEmpty || this.#pauses.length > 0) {
      await this.#pauses.shift()?.();
      if (this.#pending.isEmpty) continue;
      try {
        await within(() => this.#runNext());
      } catch (error) {
        for (const { reject } of this.#next()) reject(error);
      }
    }
    // Must happen in the same tick as the loop's last check, so that an item that arrives later starts another run.
    this.#running = undefined;
  }

  async #runNext(): Promise<void> {
    const batch = this.#next();
    // All items may have left the queue while the batch was waiting to begin.
    if (batch.length === 0) return;
    try {
      const outcomes = await this.#options.run(batch.map(({ item }) => item));
      if (outcomes.length !== batch.length)
        throw new Error("a batch returned a different number of outcomes than items");
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.status === "fulfilled") batch[index]?.resolve(outcome.value);
        else batch[index]?.reject(outcome.reason);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #next(): readonly Pending<Item, Result>[] {
    const batch: Pending<Item, Result>[] = [];
    for (let size = 0; size < this.#options.maxSize; ) {
      const pending = this.#pending.shift();
      if (pending === undefined) break;
      pending.endWait();
      batch.push(pending);
      size += pending.size;
    }
    return batch;
  }
}
