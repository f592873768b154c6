import type { DuckDBConnection } from "@duckdb/node-api";
import { Batches } from "../../../limits/batches.js";
import { MAX_WAIT_MS } from "../../../limits/limits.js";
import { StoreBrokenError } from "../../../model/store-error.js";
import { inTransaction } from "../connection.js";
import { orUnavailable } from "../engine-error.js";

/** Number of rows at which a transaction accepts no more writes. Others queue for the next one. */
const ROWS_TOGETHER = 500_000;
/** Minimum number of rows of a large write. */
const LARGE_ROWS = 10_000;
/**
 * Timeout after which large writes no longer wait for other work of their project, in milliseconds. Leaves the same
 * time for earlier writes.
 */
const MAX_AHEAD = MAX_WAIT_MS / 2;

/** A write of one project. It may be repeated. */
export interface Write {
  readonly project: string;
  /** Number of added rows. */
  readonly rows: number;
  run(): Promise<void>;
}

/** Queues writes on one connection. {@link Batches} of them share a transaction. */
export class WriteQueue {
  readonly #connection: DuckDBConnection;
  readonly #onRollback: () => void;
  readonly #batches = new Batches<Write, PromiseSettledResult<void>>({
    maxSize: ROWS_TOGETHER,
    run: (writes) => this.#store(writes),
  });
  /** Promises that large writes wait for, by project. */
  readonly #ahead = new Map<string, Promise<void>>();

  /** @param onRollback called when a transaction is rolled back, before its writes are rejected. */
  constructor(connection: DuckDBConnection, onRollback: () => void) {
    this.#connection = connection;
    this.#onRollback = onRollback;
  }

  /**
   * Runs a write. Resolves when it is on disk.
   *
   * @param signal signal of the request. Omitted for background work, which has no timeout.
   * @throws WaitTimeoutError if the write does not begin in time, or the reason of `signal` if it aborts before.
   *   Nothing is written.
   */
  async add(write: Write, signal?: AbortSignal): Promise<void> {
    const { project, rows } = write;
    const after = rows >= LARGE_ROWS ? this.#ahead.get(project) : undefined;
    const written = await this.#batches.add(project, write, rows, { signal, after });
    if (written.status === "rejected") throw written.reason;
  }

  /**
   * Runs other work of a project ahead of its large writes, which wait for a few seconds. Each of them uses all
   * cores. Together they would not be faster, and the work would be much slower.
   */
  async ahead<T>(project: string, work: () => Promise<T>): Promise<T> {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const release = (): void => {
      if (this.#ahead.get(project) === ended) this.#ahead.delete(project);
      end();
    };
    this.#ahead.set(project, ended);
    const timer = setTimeout(release, MAX_AHEAD);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  /** Runs `work` between two transactions. */
  pause(work: () => Promise<void>): Promise<void> {
    return this.#batches.pause(work);
  }

  /** Resolves when no write is in progress. */
  idle(): Promise<void> {
    return this.#batches.idle();
  }

  /**
   * Runs writes in one transaction. If it fails, runs each in its own transaction, so that a failing write does not
   * reject others.
   */
  async #store(writes: readonly Write[]): Promise<readonly PromiseSettledResult<void>[]> {
    const [together] = await Promise.allSettled([this.#inTransaction(writes)]);
    const isFinal = writes.length === 1 || together.status === "fulfilled";
    if (isFinal || together.reason instanceof StoreBrokenError) return writes.map(() => together);
    const results: PromiseSettledResult<void>[] = [];
    for (const write of writes) results.push(...(await Promise.allSettled([this.#inTransaction([write])])));
    return results;
  }

  async #inTransaction(writes: readonly Write[]): Promise<void> {
    try {
      await orUnavailable("storing data", () =>
        inTransaction(this.#connection, async () => {
          for (const write of writes) await write.run();
        }),
      );
    } catch (error) {
      this.#onRollback();
      throw error;
    }
  }
}
