import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { FairQueue } from "../../limits/fair-queue.js";
import { limitWait } from "../../limits/limit-wait.js";
import { CORES_BESIDE_CALLS, type PrincipalCalls } from "../../limits/principal-calls.js";
import type { AcceptedRange } from "./event-time.js";
import type { ParsedSegment } from "./parse-segment.js";

export interface ToWorker {
  readonly id: number;
  readonly segment: TransferableSegment;
  readonly days: AcceptedRange;
}

export interface FromWorker {
  readonly id: number;
  readonly events: ParsedSegment;
}

/** A segment that is transferred to a thread. Each piece has its own memory. */
export type TransferableSegment = readonly Uint8Array<ArrayBuffer>[];

const MAX_THREADS = 4;
/**
 * Number of segments that each thread has: one in progress, and the next one. All other segments wait in the fair
 * queue.
 */
const SEGMENTS_A_THREAD = 2;

interface Thread {
  readonly worker: Worker;
  readonly pending: Map<number, Waiter>;
}

/** A segment in the queue, with callbacks for its result. */
interface Waiter {
  readonly segment: TransferableSegment;
  readonly days: AcceptedRange;
  readonly endWait: () => void;
  readonly resolve: (events: ParsedSegment) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Parses and merges events on worker threads, to keep the event loop free. Projects share the threads through a fair
 * queue, so that large imports of one project do not delay others. While principals call often, parsing leaves one core
 * free. A thread starts when a segment finds no idle one, so that a server without imports has none. If a thread dies, a
 * new one replaces it.
 */
export class EventWorkerPool {
  /** Maximum size of a line in bytes, without its line break. */
  readonly maxLineBytes: number;
  /** Number of segments that an import should submit before it waits for the first result. */
  readonly capacity: number;
  readonly #threads: Thread[] = [];
  readonly #size = Math.min(MAX_THREADS, availableParallelism());
  readonly #principalCalls: Pick<PrincipalCalls, "areFrequent">;
  readonly #queue = new FairQueue<Waiter>();
  #nextId = 1;

  /** @param maxLineBytes maximum size of a line in bytes, without its line break. */
  constructor(maxLineBytes: number, principalCalls: Pick<PrincipalCalls, "areFrequent">) {
    this.maxLineBytes = maxLineBytes;
    this.#principalCalls = principalCalls;
    this.capacity = SEGMENTS_A_THREAD * this.#size;
  }

  /**
   * Parses a segment. Transfers its memory to a worker thread.
   *
   * @param project project number, for the fair queue.
   * @param signal the call's signal.
   * @throws WaitTimeoutError if no thread is free in time; the abort reason of the signal; an error of the thread.
   */
  parse(
    project: string,
    segment: TransferableSegment,
    days: AcceptedRange,
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

  /** Sends waiting segments to threads that have capacity. */
  #handOver(): void {
    while (!this.#queue.isEmpty) {
      const thread = this.#leastBusyThread();
      const waiter = thread.pending.size < SEGMENTS_A_THREAD ? this.#queue.shift() : undefined;
      if (waiter === undefined) return;
      waiter.endWait();
      const id = this.#nextId++;
      const { segment, days } = waiter;
      thread.pending.set(id, waiter);
      const memory = segment.map(({ buffer }) => buffer);
      thread.worker.postMessage({ id, segment, days } satisfies ToWorker, memory);
    }
  }

  /** Returns an idle thread, a new one if there may be more, or the one with the fewest segments. */
  #leastBusyThread(): Thread {
    const size = this.#principalCalls.areFrequent ? Math.min(CORES_BESIDE_CALLS, this.#size) : this.#size;
    const [first, ...others] = this.#threads.slice(0, size);
    if (first === undefined) return this.#start();
    const least = others.reduce((a, b) => (b.pending.size < a.pending.size ? b : a), first);
    return least.pending.size > 0 && this.#threads.length < size ? this.#start() : least;
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
    worker.on("exit", () => fail(new Error("the thread that parses events has exited")));
    this.#threads.push(thread);
    return thread;
  }
}
