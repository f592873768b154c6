import type { Logger } from "pino";
import { type Database, StoreOutageError } from "../../model/store-error.js";

/** Minimum interval between log lines about the same failure, in milliseconds. */
const REPEAT_MS = 30_000;
/** Interval of checks whether an outage has ended, in milliseconds. */
const LOOK_MS = 1_000;

/** The last log line about a failure. */
interface LastLine {
  readonly at: number;
  /** Number of unlogged failures since then. */
  repeated: number;
}

/**
 * Logs failures of work that is retried: the same failure at most every 30 seconds, failures in a database outage
 * without stacks, and when an outage ends.
 */
export class FailureLog {
  readonly #logger: Logger;
  readonly #checks = new Map<Database, () => Promise<void>>();
  readonly #lines = new Map<string, LastLine>();
  readonly #outages = new Map<Database, NodeJS.Timeout>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** @param check rejects while the database cannot be used. When it resolves, the outage has ended. */
  checkBy(database: Database, check: () => Promise<void>): void {
    this.#checks.set(database, check);
  }

  /**
   * Logs a failure.
   *
   * @param what fields of the log line. They do not distinguish failures in an outage.
   */
  failed(what: object, error: unknown, message: string): void {
    const isOutage = error instanceof StoreOutageError;
    if (isOutage) this.#await(error.database);
    const repeated = this.#next(`${message} ${isOutage ? "" : JSON.stringify(what)} ${problemOf(error)}`);
    if (repeated === undefined) return;
    const count = repeated > 0 && { repeated };
    this.#logger.error({ ...what, ...errorFields(error), ...count }, message);
  }

  /** Records a failed call that was already logged, to log when its outage ends. */
  noted(error: unknown): void {
    if (error instanceof StoreOutageError) this.#await(error.database);
  }

  async close(): Promise<void> {
    for (const timer of this.#outages.values()) clearTimeout(timer);
    this.#checks.clear();
  }

  /** @returns the number of unlogged failures before this one; `undefined` if this one is not logged either. */
  #next(failure: string): number | undefined {
    const now = performance.now();
    const last = this.#lines.get(failure);
    if (last !== undefined && now - last.at < REPEAT_MS) {
      last.repeated++;
      return undefined;
    }
    for (const [other, { at }] of this.#lines) if (now - at >= REPEAT_MS) this.#lines.delete(other);
    this.#lines.set(failure, { at: now, repeated: 0 });
    return last?.repeated ?? 0;
  }

  /** Waits until an outage ends, unless that is in progress, and logs it. */
  #await(database: Database): void {
    if (this.#outages.has(database)) return;
    const began = performance.now();
    const look = (): void => {
      const check = this.#checks.get(database);
      if (check === undefined) return;
      check().then(() => {
        this.#outages.delete(database);
        const durationMs = Math.round(performance.now() - began);
        this.#logger.info({ database, durationMs }, "a database has recovered");
      }, wait);
    };
    const wait = (): void => void this.#outages.set(database, setTimeout(look, LOOK_MS).unref());
    wait();
  }
}

/** Returns the log fields for an error. In an outage, it is one line without a stack. */
export const errorFields = (error: unknown): object =>
  error instanceof StoreOutageError
    ? { database: error.database, problem: problemOf(error) }
    : { err: error };

/** Returns the first lines of an error's message and of its causes' messages. */
function problemOf(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) messages.push(at.message.split("\n", 1)[0] ?? "");
  return messages.join(": ");
}
