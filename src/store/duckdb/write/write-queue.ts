import type { DuckDBConnection } from "@duckdb/node-api";
import { Batches } from "../../../limits/batches.js";
import { MAX_WAIT_MS } from "../../../limits/request-limits.js";
import type { ProjectNumber } from "../../../model/names.js";
import { StoreBrokenError } from "../../../model/store-error.js";
import { inTransaction, orUnavailable } from "../connection.js";

/** Number of rows at which a transaction is full. Further writes wait for the next transaction. */
const ROWS_TOGETHER = 500_000;
/** Minimum number of rows of a large write. */
const LARGE_ROWS = 10_000;
/**
 * Time after which large writes no longer wait for other work of their project, in milliseconds. The same time remains
 * for waiting for earlier writes.
 */
const MAX_AHEAD = MAX_WAIT_MS / 2;

/** A write of one project. It may be repeated. */
export interface Write {
  readonly project: ProjectNumber;
  /** Number of added rows. */
  readonly rows: number;
  run(): Promise<void>;
}

/** A queue for writes on one connection. Several writes share a transaction ({@link Batches}). */
export class WriteQueue {
  readonly #connection: DuckDBConnection;
  readonly #onRollback: () => void;
  readonly #batches = new Batches<Write, PromiseSettledResult<void>>({
    maxSize: ROWS_TOGETHER,
    run: (writes) => this.#store(writes),
  });
  /** Promises for which large writes wait, by project. */
  readonly #ahead = new Map<string, Promise<void>>();

  /** @param onRollback called when a transaction was rolled back, before its writes are rejected. */
  constructor(connection: DuckDBConnection, onRollback: () => void) {
    this.#connection = connection;
    this.#onRollback = onRollback;
  }

  /**
   * Adds a write. Resolves when the write is on disk.
   *
   * @param signal signal of the request. Omitted for background work, which has no timeout.
   * @throws WaitTimeoutError if the write does not begin in time; the abort reason of `signal`. Nothing is written
   * then.
   */
  async add(write: Write, signal?: AbortSignal): Promise<void> {
    const { project, rows } = write;
    const after = rows >= LARGE_ROWS ? this.#ahead.get(project) : undefined;
    const written = await this.#batches.add(project, write, rows, { signal, after });
    if (written.status === "rejected") throw written.reason;
  }

  /**
   * Runs other work for a project before the project's large writes, which wait for a few seconds. Both kinds of work
   * use all cores. If they ran at the same time, they would not complete sooner, and the other work would be much
   * slower.
   */
  async ahead<T>(project: ProjectNumber, work: () => Promise<T>): Promise<T> {
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
   * Runs several writes in one transaction. If it fails, runs each write in its own transaction, so that a failing
   * write does not affect the others.
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
