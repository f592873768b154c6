import type { Logger } from "pino";
import { at } from "../../model/collections.js";
import { type Database, StoreOutageError } from "../../model/store-error.js";

/** Minimum interval between two log lines about the same failure, in milliseconds. */
const REPEAT_MS = 30_000;
/** Interval between checks whether an outage has ended, in milliseconds. */
const LOOK_MS = 1_000;

/** The last log line about a failure. */
interface LastLine {
  readonly at: number;
  /** Number of failures that were not logged since then. */
  repeated: number;
}

/**
 * Logs failures of work that is retried. The same failure is logged at most every 30 seconds. Failures in a database
 * outage are logged without stack traces. When an outage ends, that is logged, too.
 */
export class FailureLog {
  readonly #logger: Logger;
  readonly #checks = new Map<Database, () => Promise<void>>();
  readonly #lines = new Map<string, LastLine>();
  readonly #outages = new Map<Database, NodeJS.Timeout>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Sets the check for a database.
   *
   * @param check rejects while the database cannot be used. The outage has ended when it resolves.
   */
  checkBy(database: Database, check: () => Promise<void>): void {
    this.#checks.set(database, check);
  }

  /**
   * Logs a failure.
   *
   * @param what fields of the log line. During an outage, failures count as the same even if these fields differ.
   */
  failed(what: object, error: unknown, message: string): void {
    const isOutage = error instanceof StoreOutageError;
    if (isOutage) this.#await(error.database);
    const repeated = this.#next(`${message} ${isOutage ? "" : JSON.stringify(what)} ${problemOf(error)}`);
    if (repeated === undefined) return;
    const count = repeated > 0 && { repeated };
    this.#logger.error({ ...what, ...errorFields(error), ...count }, message);
  }

  /** Records a failed call that someone else has logged, to log when its outage ends. */
  noted(error: unknown): void {
    if (error instanceof StoreOutageError) this.#await(error.database);
  }

  async close(): Promise<void> {
    for (const timer of this.#outages.values()) clearTimeout(timer);
    this.#checks.clear();
  }

  /**
   * Decides whether a failure is logged now.
   *
   * @returns the number of failures since the last log line, or `undefined` if this failure is not logged either.
   */
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

  /** Waits until an outage ends, and logs that it has ended. Does nothing if such a wait has already started. */
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

/** Returns log fields that describe an error. During an outage, this is a single line without a stack trace. */
export const errorFields = (error: unknown): object =>
  error instanceof StoreOutageError
    ? { database: error.database, problem: problemOf(error) }
    : { err: error };

/** Joins the first line of an error's message with the first lines of its causes' messages. */
function problemOf(error: unknown): string {
  const messages: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause)
    messages.push(at(each.message.split("\n"), 0));
  return messages.join(": ");
}
