import { StoreUnavailableError } from "../model/store-error.js";

/** Store calls in progress. Closing the store waits for them, and rejects all later ones. */
export class StoreCalls {
  readonly #inProgress = new Set<Promise<unknown>>();
  #isClosed = false;

  /** @throws StoreUnavailableError if the store is closed. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StoreUnavailableError("the store is closed");
    const done = call();
    this.#inProgress.add(done);
    try {
      return await done;
    } finally {
      this.#inProgress.delete(done);
    }
  }

  /** Rejects calls from now on; resolves when all earlier ones have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#inProgress);
  }
}
