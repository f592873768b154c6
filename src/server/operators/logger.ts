import { closeSync } from "node:fs";
import { isatty } from "node:tty";
import { type Logger, pino } from "pino";
import type { Clock } from "../../model/clock.js";
import { LogWriter } from "./log-writer.js";
import { droppedLogLines } from "./metrics.js";

const STDERR = 2;

/** Logs JSON lines to stderr. Callers never pass it tokens or keys. The process never waits for a reader of stderr. */
export function createLogger(level: string, clock: Clock): Logger {
  const isoTime = isoTimes();
  const time = (): string => `"time":"${isoTime(clock.wall())}"`;
  const writer = new LogWriter(STDERR, {
    noticeOf: (lines) => `{"level":"warn",${time()},"lines":${lines},"msg":"log lines were dropped"}\n`,
    onDropped: (lines) => droppedLogLines.inc(lines),
  });
  process.once("exit", () => writer.flushSync());
  neverWaitForStderr();
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,${time()}`,
      formatters: { level: (label) => ({ level: label }) },
    },
    writer,
  );
}

/** Makes writes to stderr fail if they would have to wait, also those of Node.js itself about an uncaught error. */
function neverWaitForStderr(): void {
  // Opening the stream makes a pipe or a socket non-blocking. For a terminal, there is no public way.
  const stream: { readonly _handle?: { setBlocking?(isBlocking: boolean): void } } & NodeJS.EventEmitter =
    process.stderr;
  stream._handle?.setBlocking?.(false);
  // Errors of others that write to the stream, such as warnings of Node.js.
  stream.on("error", () => {});
  const terminals = [0, 1, STDERR].filter((fd) => isatty(fd));
  process.once("exit", () => {
    // At its exit, Node.js resets its terminals, and aborts if one of them is gone.
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
}

/** Length of `2026-11-22T21:04:05.`, the text of a second. */
const SECOND_LENGTH = 20;

/**
 * Makes a function that writes times as `toISOString` does, several times as fast for times within the same
 * second.
 */
export function isoTimes(): (ms: number) => string {
  let second = Number.NaN;
  let text = "";
  return (ms) => {
    const ofSecond = Math.floor(ms / 1_000);
    if (ofSecond !== second) {
      second = ofSecond;
      text = new Date(ms).toISOString().slice(0, SECOND_LENGTH);
    }
    return `${text}${String(ms - 1_000 * second).padStart(3, "0")}Z`;
  };
}
