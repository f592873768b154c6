import { availableParallelism } from "node:os";
import type { DuckDBConnection } from "@duckdb/node-api";
import { SerialQueue } from "../../limits/pacing.js";

/** Returns the maximum number of threads. @param configured defaults to the number of cores. */
export const maxThreads = (configured?: number): number => configured ?? availableParallelism();

/** Returns the number of threads while no long statement is in progress. */
export const usualThreads = (configured?: number): number =>
  Math.max(1, Math.floor(maxThreads(configured) / 2));

/**
 * Number of threads that share the work of statements. While other threads do a statement's work, the thread that
 * started it polls for the result, which uses a whole core. On two cores, lists and imports therefore need less time
 * with one thread. Rollups of large days are faster with all threads.
 */
export class EngineThreads {
  readonly #connection: DuckDBConnection;
  readonly #configured: number | undefined;
  readonly #changes = new SerialQueue();
  /** Number of calls that use all threads. */
  #users = 0;

  /** @param connection a connection to the database, used only here. */
  constructor(connection: DuckDBConnection, configured?: number) {
    this.#connection = connection;
    this.#configured = configured;
  }

  /** Calls `work`, during which statements use all threads. */
  async useAll<T>(work: () => Promise<T>): Promise<T> {
    this.#users++;
    try {
      await this.#change();
      return await work();
    } finally {
      this.#users--;
      await this.#change();
    }
  }

  /** Sets the number of threads for the calls that are in progress when the change is made. */
  #change(): Promise<void> {
    return this.#changes.run(async () => {
      const threads = this.#users > 0 ? maxThreads(this.#configured) : usualThreads(this.#configured);
      // Without the change, statements only need more time. If the engine does not work, they fail, too.
      await this.#connection.run(`SET threads = ${threads}`).catch(() => {});
    });
  }
}
