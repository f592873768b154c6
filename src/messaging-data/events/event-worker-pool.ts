import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { DayRange } from "./accepted-days.js";
import type { ParsedEvents } from "./event-parser.js";

/** What the main thread asks of a worker. */
export interface ToWorker {
  readonly id: number;
  /** Whole lines. */
  readonly segment: Uint8Array;
  readonly days: DayRange;
}

/** What a worker answers. */
export interface FromWorker {
  readonly id: number;
  readonly events: ParsedEvents;
}

const MAX_THREADS = 4;

interface Thread {
  readonly worker: Worker;
  readonly pending: Map<number, Waiter>;
}

/** Who waits for the events of a segment. */
interface Waiter {
  readonly resolve: (events: ParsedEvents) => void;
  readonly reject: (error: Error) => void;
}

/** Parses events on worker threads, so that the event loop stays free. A thread that dies is replaced. */
export class EventWorkerPool {
  /** The longest line, without its line break. */
  readonly maxLineBytes: number;
  /** How many segments are worth handing over before any has come back. */
  readonly capacity: number;
  readonly #threads: Thread[] = [];
  readonly #size = Math.min(MAX_THREADS, availableParallelism());
  #nextId = 1;

  /** @param maxLineBytes the longest line, without its line break. */
  constructor(maxLineBytes: number) {
    this.maxLineBytes = maxLineBytes;
    this.capacity = 2 * this.#size;
    // They are ready before the first import asks for them.
    while (this.#threads.length < this.#size) this.#start();
  }

  /**
   * Parses some whole lines, whose memory moves to a worker.
   *
   * @param days of which events are accepted.
   */
  parse(segment: Uint8Array<ArrayBuffer>, days: DayRange): Promise<ParsedEvents> {
    const thread = this.#leastBusyThread();
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      thread.pending.set(id, { resolve, reject });
      thread.worker.postMessage({ id, segment, days } satisfies ToWorker, [segment.buffer]);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #leastBusyThread(): Thread {
    if (this.#threads.length < this.#size) return this.#start();
    return this.#threads.reduce((least, thread) =>
      thread.pending.size < least.pending.size ? thread : least,
    );
  }

  #start(): Thread {
    const { maxLineBytes } = this;
    const worker = new Worker(new URL("./event-worker.js", import.meta.url), {
      workerData: { maxLineBytes },
    });
    const thread: Thread = { worker, pending: new Map() };
    worker.unref();
    worker.on("message", ({ id, events }: FromWorker) => {
      thread.pending.get(id)?.resolve(events);
      thread.pending.delete(id);
    });
    const fail = (failure: Error): void => {
      const index = this.#threads.indexOf(thread);
      if (index >= 0) this.#threads.splice(index, 1);
      for (const { reject } of thread.pending.values()) reject(failure);
      thread.pending.clear();
    };
    worker.on("error", fail);
    worker.on("exit", () => fail(new Error("the thread that parses events has ended")));
    this.#threads.push(thread);
    return thread;
  }
}
