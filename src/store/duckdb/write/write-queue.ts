import type { DuckDBConnection } from "@duckdb/node-api";
import { FairQueue } from "../../../limits/fair-queue.js";
import { limitWait } from "../../../limits/limit-wait.js";
import { MAX_WAIT_MS } from "../../../limits/limits.js";
import { StoreBrokenError } from "../../../model/store-error.js";
import { orUnavailable } from "../engine-error.js";
import { inTransaction } from "../transaction.js";

/** Number of rows at which a transaction takes no further writes; the others wait for the next one. */
const ROWS_TOGETHER = 500_000;
/** Number of rows from which on a write is large. */
const LARGE_ROWS = 10_000;
/**
 * Longest time for which large writes wait for other work of their project, in milliseconds. Afterwards, as much is left
 * for the writes before them.
 */
const MAX_AHEAD = MAX_WAIT_MS / 2;

/** A write of a project, which may be repeated. */
export interface Write {
  readonly project: string;
  /** Number of rows that it adds. */
  readonly rows: number;
  run(): Promise<void>;
}

interface PendingWrite extends Write {
  readonly endWait: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes on one connection. Those that wait at the same time share a transaction, and with it the cost of
 * reaching the disk. Projects take turns, which spares a small import from waiting for all large ones of
 * another project.
 */
export class WriteQueue {
  readonly #connection: DuckDBConnection;
  readonly #onRollback: () => void;
  readonly #pending = new FairQueue<PendingWrite>();
  readonly #pauses: (() => Promise<void>)[] = [];
  /** Large writes that wait for other work of their project. */
  readonly #held = new Map<string, Set<PendingWrite>>();
  #running: Promise<void> | undefined;

  /** @param onRollback called when the changes of a transaction are undone, before its writes are rejected. */
  constructor(connection: DuckDBConnection, onRollback: () => void) {
    this.#connection = connection;
    this.#onRollback = onRollback;
  }

  /**
   * Runs a write; resolves when it is on disk.
   *
   * @param signal of the call that needs the write; omitted for work of the server itself, which waits as long as it
   *   takes.
   * @throws WaitTimeoutError if the write does not begin in time; the reason of `signal` if it aborts before. Nothing is
   *   written then.
   */
  add(write: Write, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const maxMs = signal === undefined ? Number.POSITIVE_INFINITY : MAX_WAIT_MS;
      const endWait = limitWait((reason) => this.#giveUp(pending, reason), signal, maxMs);
      const { project, rows } = write;
      const pending: PendingWrite = { project, rows, run: () => write.run(), endWait, resolve, reject };
      const held = write.rows >= LARGE_ROWS ? this.#held.get(write.project) : undefined;
      if (held === undefined) this.#enter(pending);
      else held.add(pending);
    });
  }

  /**
   * Runs other work of a project, ahead of its large writes: those that come meanwhile wait, some seconds at most. Both take
   * all of the machine, so together they would take as long, and the work much longer.
   */
  async ahead<T>(project: string, work: () => Promise<T>): Promise<T> {
    const held = new Set<PendingWrite>();
    const release = (): void => {
      if (this.#held.get(project) === held) this.#held.delete(project);
      for (const write of held) this.#enter(write);
      held.clear();
    };
    this.#held.set(project, held);
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
    return new Promise((resolve, reject) => {
      this.#pauses.push(() => work().then(resolve, reject));
      this.#running ??= this.#run();
    });
  }

  #enter(pending: PendingWrite): void {
    this.#pending.push(pending.project, pending);
    this.#running ??= this.#run();
  }

  #giveUp(pending: PendingWrite, reason: unknown): void {
    const { project, reject } = pending;
    if (this.#held.get(project)?.delete(pending) || this.#pending.remove(project, pending)) reject(reason);
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#pending.isEmpty || this.#pauses.length > 0) {
      await this.#pauses.shift()?.();
      if (this.#pending.isEmpty) continue;
      await this.#store(this.#nextWrites());
    }
    // In the same turn as the loop's last check: any later write starts another run.
    this.#running = undefined;
  }

  /** Runs writes in one transaction. If it fails, each gets its own: a write that fails rejects no other. */
  async #store(writes: readonly PendingWrite[]): Promise<void> {
    try {
      await orUnavailable("storing data", () =>
        inTransaction(this.#connection, async () => {
          for (const write of writes) await write.run();
        }),
      );
      for (const { resolve } of writes) resolve();
    } catch (error) {
      this.#onRollback();
      if (writes.length > 1 && !(error instanceof StoreBrokenError)) {
        for (const write of writes) await this.#store([write]);
      } else {
        for (const { reject } of writes) reject(error);
      }
    }
  }

  #nextWrites(): PendingWrite[] {
    const writes: PendingWrite[] = [];
    for (let rows = 0; rows < ROWS_TOGETHER; ) {
      const write = this.#pending.shift();
      if (write === undefined) break;
      write.endWait();
      writes.push(write);
      rows += write.rows;
    }
    return writes;
  }
}
