import { StoreUnavailableError } from "../model/store-error.js";
import { inStatement } from "../telemetry/tracing.js";

/** Tracks calls in progress, so that closing the store can wait for them. Rejects later calls. */
export class StoreCalls {
  readonly #system: string;
  readonly #inProgress = new Set<Promise<unknown>>();
  #isClosed = false;

  /** @param system name of the database system in traces. */
  constructor(system: string) {
    this.#system = system;
  }

  /**
   * Runs a call.
   *
   * @param what purpose of the call, such as "storing events".
   * @throws StoreUnavailableError if the store is closed.
   */
  async run<T>(what: string, call: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StoreUnavailableError("the store is closed");
    const done = inStatement(this.#system, what, call);
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
