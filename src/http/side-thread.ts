import { type Transferable, Worker } from "node:worker_threads";

export interface SideThreadOptions<From> {
  /** URL of the module that the thread runs. */
  readonly module: URL;
  /** Heap limit of the thread, in MiB. With a lower limit, the thread collects garbage sooner. */
  readonly heapMib?: number;
  readonly receive: (message: From) => void;
  /** Called when the thread has died. Messages that it has not processed get no result. */
  readonly fail: (error: Error) => void;
}

/**
 * A worker thread that starts when it is first needed, and restarts after it has died. The thread does not keep the
 * process alive.
 */
export class SideThread<To, From> {
  readonly #options: SideThreadOptions<From>;
  #worker: Worker | undefined;

  constructor(options: SideThreadOptions<From>) {
    this.#options = options;
  }

  /** Sends a message to the thread. @param transfer memory to transfer instead of copying it. */
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
    const end = (error: Error): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      fail(error);
    };
    worker.on("error", end);
    worker.on("exit", () => end(new Error("a thread ended before its work was done")));
    return worker;
  }
}
