import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { ParsedEvents } from "./event-parser.js";

/** What the main thread tells a worker; `id` is the import. */
export type ToWorker =
  | { readonly id: number; readonly type: "open"; readonly maxLineBytes: number }
  | { readonly id: number; readonly type: "segment"; readonly bytes: Uint8Array }
  | { readonly id: number; readonly type: "finish" }
  | { readonly id: number; readonly type: "discard" };

/** What a worker tells the main thread. */
export type FromWorker =
  | { readonly id: number; readonly type: "consumed" }
  | { readonly id: number; readonly type: "parsed"; readonly events: ParsedEvents };

/** Bytes that go to a worker in one message; each message costs both sides about as much as parsing a few kilobytes. */
const SEGMENT_BYTES = 512 * 1024;
/** Segments that may lie at a worker unread; then the body has to wait. */
const MAX_UNREAD_SEGMENTS = 4;

interface Thread {
  readonly worker: Worker;
  readonly imports: Map<number, Import>;
}

/** An import under way at a worker. */
interface Import {
  unread: number;
  wake: () => void;
  failure: Error | undefined;
  parsed: ((events: ParsedEvents) => void) | undefined;
}

/** Parses imports on worker threads, so that the event loop stays free. A thread that dies is replaced. */
export class EventWorkerPool {
  readonly #maxLineBytes: number;
  readonly #threads: Thread[] = [];
  readonly #size = Math.max(1, Math.min(4, availableParallelism() - 1));
  #nextId = 1;
  #closed = false;

  /** @param maxLineBytes the longest line of an import. */
  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
    // One is ready before the first import asks for it.
    this.#start();
  }

  /**
   * Parses a body as it comes, no faster than the worker can follow.
   *
   * @throws whatever `body` throws; the import is then forgotten.
   */
  async parse(body: AsyncIterable<Uint8Array>): Promise<ParsedEvents> {
    const thread = this.#leastBusyThread();
    const id = this.#nextId++;
    const current: Import = { unread: 0, wake: () => {}, failure: undefined, parsed: undefined };
    const send = (message: ToWorker, transfer: ArrayBuffer[] = []): void =>
      thread.worker.postMessage(message, transfer);
    const waitUntil = async (ready: () => boolean): Promise<void> => {
      while (!ready() && current.failure === undefined) {
        await new Promise<void>((resolve) => {
          current.wake = resolve;
        });
      }
      if (current.failure !== undefined) throw current.failure;
    };
    thread.imports.set(id, current);
    try {
      send({ id, type: "open", maxLineBytes: this.#maxLineBytes });
      for await (const bytes of segmentsOf(body)) {
        send({ id, type: "segment", bytes }, [bytes.buffer]);
        current.unread++;
        await waitUntil(() => current.unread < MAX_UNREAD_SEGMENTS);
      }
      let events: ParsedEvents | undefined;
      current.parsed = (parsed) => {
        events = parsed;
      };
      send({ id, type: "finish" });
      await waitUntil(() => events !== undefined);
      return events as unknown as ParsedEvents;
    } catch (error) {
      send({ id, type: "discard" });
      throw error;
    } finally {
      thread.imports.delete(id);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #leastBusyThread(): Thread {
    if (this.#threads.length < this.#size) return this.#start();
    return this.#threads.reduce((least, thread) =>
      thread.imports.size < least.imports.size ? thread : least,
    );
  }

  #start(): Thread {
    const worker = new Worker(new URL("./event-worker.js", import.meta.url));
    const thread: Thread = { worker, imports: new Map() };
    worker.unref();
    worker.on("message", (message: FromWorker) => {
      const current = thread.imports.get(message.id);
      if (current === undefined) return;
      if (message.type === "consumed") current.unread--;
      else current.parsed?.(message.events);
      current.wake();
    });
    const fail = (failure: Error): void => {
      const index = this.#threads.indexOf(thread);
      if (index >= 0) this.#threads.splice(index, 1);
      for (const current of thread.imports.values()) {
        current.failure = failure;
        current.wake();
      }
    };
    worker.on("error", fail);
    worker.on("exit", () => fail(new Error(this.#closed ? "the parser is closed" : "the parser stopped")));
    this.#threads.push(thread);
    return thread;
  }
}

/** Joins chunks to segments. Each is a copy in memory of its own, as chunks may be parts of buffers that others use. */
async function* segmentsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  const join = (): Uint8Array<ArrayBuffer> => {
    const segment = new Uint8Array(size);
    let at = 0;
    for (const chunk of chunks) {
      segment.set(chunk, at);
      at += chunk.length;
    }
    chunks = [];
    size = 0;
    return segment;
  };
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= SEGMENT_BYTES) yield join();
  }
  if (size > 0) yield join();
}
