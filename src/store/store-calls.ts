import { StoreUnavailableError } from "../model/store-error.js";

/** Tracks calls in progress, so that closing the store can wait for them. Rejects later calls. */
export class StoreCalls {
  readonly #inProgress = new Set<Promise<unknown>>();
  #isClosed = false;

  /** Runs a call. @throws StoreUnavailableError if the store is closed. */
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

  /** Rejects new calls from now on. Resolves when all calls in progress have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#inProgress);
  }
}
