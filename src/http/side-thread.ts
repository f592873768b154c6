import { type Transferable, Worker } from "node:worker_threads";

/** What a thread is used for. */
export interface SideThreadOptions<From> {
  /** The module that it runs. */
  readonly module: URL;
  /** The most memory of its heap, in MiB. With it, the thread collects its garbage sooner. */
  readonly heapMib?: number;
  readonly receive: (message: From) => void;
  /** Told when the thread has died; what it was asked for does not come any more. */
  readonly fail: (failure: Error) => void;
}

/**
 * A thread that takes work off the main one. It starts when it is first needed, and anew after it has died. The process does
 * not wait for it.
 */
export class SideThread<To, From> {
  readonly #options: SideThreadOptions<From>;
  #worker: Worker | undefined;

  constructor(options: SideThreadOptions<From>) {
    this.#options = options;
  }

  /** @param transfer memory that moves to the thread. */
  send(message: To, transfer: readonly Transferable[] = []): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message, [...transfer]);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const { module, heapMib, receive, fail } = this.#options;
    const worker = new Worker(module, {
      resourceLimits: heapMib === undefined ? {} : { maxOldGenerationSizeMb: heapMib },
    });
    worker.unref();
    worker.on("message", receive);
    const end = (failure: Error): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      fail(failure);
    };
    worker.on("error", end);
    worker.on("exit", () => end(new Error("a thread has ended before its work was done")));
    return worker;
  }
}
