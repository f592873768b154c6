import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { FairQueue } from "../../limits/fair-queue.js";
import { limitWait } from "../../limits/limit-wait.js";
import type { DayRange } from "./event-time.js";
import type { ParsedSegment } from "./parse-segment.js";

/** A request to a worker. */
export interface ToWorker {
  readonly id: number;
  /** Complete lines. */
  readonly segment: Uint8Array;
  readonly days: DayRange;
}

/** A worker's response. */
export interface FromWorker {
  readonly id: number;
  readonly events: ParsedSegment;
}

const MAX_THREADS = 4;
/**
 * Number of segments per thread: one in progress and one ready. All others wait in the fair queue of projects.
 */
const SEGMENTS_A_THREAD = 2;

interface Thread {
  readonly worker: Worker;
  readonly pending: Map<number, Waiter>;
}

/** A segment, and the callbacks for its events. */
interface Waiter {
  readonly segment: Uint8Array<ArrayBuffer>;
  readonly days: DayRange;
  readonly endWait: () => void;
  readonly resolve: (events: ParsedSegment) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Parses and merges events on worker threads, which keeps the event loop free. A fair queue keeps a project's large imports
 * from delaying other projects. A thread that dies is replaced.
 */
export class EventWorkerPool {
  /** Maximum size of a line without its line break, in bytes. */
  readonly maxLineBytes: number;
  /** Number of segments worth submitting before the first one is done. */
  readonly capacity: number;
  readonly #threads: Thread[] = [];
  readonly #size = Math.min(MAX_THREADS, availableParallelism());
  readonly #queue = new FairQueue<Waiter>();
  #nextId = 1;

  /** @param maxLineBytes maximum size of a line without its line break, in bytes. */
  constructor(maxLineBytes: number) {
    this.maxLineBytes = maxLineBytes;
    this.capacity = SEGMENTS_A_THREAD * this.#size;
    // Starts all threads now, so that they are ready for the first import.
    while (this.#threads.length < this.#size) this.#start();
  }

  /**
   * Parses complete lines. Transfers their memory to a worker.
   *
   * @param project project number, for the fair queue.
   * @param days accepted days.
   * @param signal the call's signal.
   * @throws WaitTimeoutError if no worker is free in time, the signal's reason if it aborts before, or an error of the worker.
   */
  parse(
    project: string,
    segment: Uint8Array<ArrayBuffer>,
    days: DayRange,
    signal?: AbortSignal,
  ): Promise<ParsedSegment> {
    return new Promise((resolve, reject) => {
      const endWait = limitWait((reason) => {
        this.#queue.remove(project, waiter);
        reject(reason);
      }, signal);
      const waiter: Waiter = { segment, days, endWait, resolve, reject };
      this.#queue.push(project, waiter);
      this.#handOver();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  /** Passes segments to threads as long as one has capacity. */
  #handOver(): void {
    while (!this.#queue.isEmpty) {
      const thread = this.#leastBusyThread();
      const waiter = thread.pending.size < SEGMENTS_A_THREAD ? this.#queue.shift() : undefined;
      if (waiter === undefined) return;
      waiter.endWait();
      const id = this.#nextId++;
      const { segment, days } = waiter;
      thread.pending.set(id, waiter);
      thread.worker.postMessage({ id, segment, days } satisfies ToWorker, [segment.buffer]);
    }
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
      this.#handOver();
    });
    const fail = (failure: Error): void => {
      const index = this.#threads.indexOf(thread);
      if (index >= 0) this.#threads.splice(index, 1);
      for (const { reject } of thread.pending.values()) reject(failure);
      thread.pending.clear();
      this.#handOver();
    };
    worker.on("error", fail);
    worker.on("exit", () => fail(new Error("the thread that parses events has ended")));
    this.#threads.push(thread);
    return thread;
  }
}
