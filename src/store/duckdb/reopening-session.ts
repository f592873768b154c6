import { setTimeout as sleep } from "node:timers/promises";
import { StoreBrokenError, StoreUnavailableError } from "../../model/store-error.js";
import type { DuckDbOptions } from "./database.js";
import { Session } from "./session.js";

/** Pause between two attempts to reopen the database, in milliseconds. */
const REOPEN_PAUSE_MS = 1_000;

/**
 * The store's session. After a permanent engine failure ({@link StoreBrokenError}), closes the database and tries to
 * open it again. Until this succeeds, all calls fail with `StoreUnavailableError`.
 */
export class ReopeningSession {
  readonly #options: DuckDbOptions;
  /** Undefined while the database is being reopened. */
  #session: Session | undefined;
  #reopenings = 0;
  #reopening: Promise<void> | undefined;
  #isClosed = false;

  private constructor(options: DuckDbOptions, session: Session) {
    this.#options = options;
    this.#session = session;
  }

  /** Opens the database. @throws StoreOpenError as {@link Session.open} does. */
  static async open(options: DuckDbOptions): Promise<ReopeningSession> {
    return new ReopeningSession(options, await Session.open(options));
  }

  /** Undefined while the database is being reopened. */
  get current(): Session | undefined {
    return this.#session;
  }

  /** Number of times the database was reopened. */
  get reopenings(): number {
    return this.#reopenings;
  }

  /** Runs a call of the store in the session. Reopens the database after a permanent failure. */
  async run<T>(what: string, work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const session = this.#session;
    if (session === undefined) throw new StoreUnavailableError("the database is being reopened");
    try {
      return await session.run(what, () => work(session), signal);
    } catch (error) {
      if (error instanceof StoreBrokenError && session === this.#session && !this.#isClosed) {
        this.#session = undefined;
        this.#options.onFailure?.(error);
        this.#reopening = this.#reopen(session);
      }
      throw error;
    }
  }

  /** Waits for calls in progress, and ends all attempts to reopen the database. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#reopening;
    await this.#session?.close();
  }

  async #reopen(broken: Session): Promise<void> {
    const { onFailure } = this.#options;
    await broken.close().catch((error: unknown) => onFailure?.(error));
    while (!this.#isClosed) {
      try {
        this.#session = await Session.open(this.#options);
        this.#reopenings++;
        return;
      } catch (error) {
        onFailure?.(error);
        await sleep(REOPEN_PAUSE_MS);
      }
    }
  }
}
