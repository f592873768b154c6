import type { Logger } from "pino";
import { systemClock } from "../../model/clock.js";
import { createLogger } from "../../server/operators/logger.js";
import { CountingNote } from "../support/progress-bar.js";
import type { Outcome } from "./import-deliveries.js";

/** Time between two log lines with counts, in milliseconds. */
const INTERVAL_MS = 60_000;

/** Shows the progress of `waybill consume` on standard error. */
export interface ConsumeLog {
  /** Counts a batch. */
  imported(messages: number, outcome: Outcome): void;
  /** Reports a failure that is retried. */
  retrying(problem: string, waitMs: number): void;
  /** Reports anything else. */
  note(text: string): void;
  end(): void;
}

/** Creates a log for people on a terminal, and a log of JSON lines otherwise. */
export const consumeLog = (): ConsumeLog =>
  process.stderr.isTTY ? new TerminalLog() : new JsonLog(createLogger("info", systemClock));

/** A running count of events, and a line for everything else. */
class TerminalLog implements ConsumeLog {
  readonly #count = new CountingNote("events imported");

  imported(_messages: number, { importedCount, invalid }: Outcome): void {
    this.#count.count += importedCount;
    for (const { reason } of invalid) this.note(`dead-lettered a message: ${reason}`);
  }

  retrying(problem: string, waitMs: number): void {
    this.note(`${problem}; retrying in ${(waitMs / 1_000).toFixed(1)} s`);
  }

  note(text: string): void {
    // Clears the line, which may contain the count.
    process.stderr.write(`\r\x1b[K${text}\n`);
  }

  end(): void {
    this.#count.end();
    this.note(`${this.#count.count} events imported`);
  }
}

/** Counts since the last log line. */
interface Counts {
  messages: number;
  importedCount: number;
  optedOutCount: number;
  tooLateCount: number;
  invalidMessages: number;
}

const noCounts = (): Counts => ({
  messages: 0,
  importedCount: 0,
  optedOutCount: 0,
  tooLateCount: 0,
  invalidMessages: 0,
});

/** A log line with counts per interval, and a line for everything else. */
class JsonLog implements ConsumeLog {
  readonly #logger: Logger;
  readonly #timer = setInterval(() => this.#logCounts(), INTERVAL_MS);
  #counts = noCounts();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  imported(messages: number, { importedCount, optedOutCount, tooLateCount, invalid }: Outcome): void {
    const counts = this.#counts;
    counts.messages += messages;
    counts.importedCount += importedCount;
    counts.optedOutCount += optedOutCount;
    counts.tooLateCount += tooLateCount;
    counts.invalidMessages += invalid.length;
    const [first] = invalid;
    if (first !== undefined)
      this.#logger.warn({ messages: invalid.length, reason: first.reason }, "messages were dead-lettered");
  }

  retrying(problem: string, waitMs: number): void {
    this.#logger.warn({ problem, retryInMs: Math.round(waitMs) }, "retrying");
  }

  note(text: string): void {
    this.#logger.info(text);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#logCounts();
  }

  #logCounts(): void {
    if (this.#counts.messages > 0) this.#logger.info(this.#counts, "messages consumed");
    this.#counts = noCounts();
  }
}
