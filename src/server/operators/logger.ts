import { closeSync } from "node:fs";
import { isatty } from "node:tty";
import { type DestinationStream, type Logger, pino } from "pino";
import type { Clock } from "../../model/clock.js";
import { LogWriter } from "./log-writer.js";
import { droppedLogLines } from "./metrics.js";

const STDERR = 2;

/**
 * Creates a logger that writes JSON lines to standard error. Callers must not pass tokens or keys. If nothing reads
 * standard error, the process never waits.
 *
 * @param members returns JSON members for each line, each after a comma, such as trace ids.
 */
export function createLogger(level: string, clock: Clock, members: () => string = () => ""): ServerLogger {
  const time = timesOf(clock);
  const writer = new LogWriter(STDERR, {
    noticeOf: (lines) => `{"level":"warn",${time()},"lines":${lines},"msg":"log lines were dropped"}\n`,
    onDropped: (lines) => droppedLogLines.inc(lines),
  });
  process.once("exit", () => writer.flushSync());
  neverWaitForStderr();
  return loggerTo(writer, level, clock, members);
}

/** A logger that also accepts lines that are already JSON. */
export interface ServerLogger extends Logger {
  /**
   * Writes a line at level `info`.
   *
   * @param own JSON members of the line, besides its level, time and common members.
   */
  writeInfo(own: string): void;
}

/** Creates a logger that writes JSON lines to a stream. */
export function loggerTo(
  stream: DestinationStream,
  level: string,
  clock: Clock,
  members: () => string = () => "",
): ServerLogger {
  const time = timesOf(clock);
  // As fields, the members would need a copy of each line, which costs about as much as a span.
  const timestamp = (): string => `,${time()}${members()}`;
  const logger = pino(
    {
      level,
      base: null,
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const writeInfo = (own: string): void => {
    if (logger.isLevelEnabled("info")) stream.write(`{"level":"info"${timestamp()},${own}}\n`);
  };
  return Object.assign(logger, { writeInfo });
}

function timesOf(clock: Clock): () => string {
  const isoTime = isoTimes();
  return () => `"time":"${isoTime(clock.wall())}"`;
}

/** Makes writes to standard error fail instead of blocking. This includes Node.js's own report of an uncaught error. */
function neverWaitForStderr(): void {
  // Opening the stream makes a pipe or socket non-blocking. For a terminal, Node.js has no public API that does this.
  const stream: { readonly _handle?: { setBlocking?(isBlocking: boolean): void } } & NodeJS.EventEmitter =
    process.stderr;
  stream._handle?.setBlocking?.(false);
  // Ignores errors of other writes to the stream, such as warnings by Node.js.
  stream.on("error", () => {});
  const terminals = [0, 1, STDERR].filter((fd) => isatty(fd));
  process.once("exit", () => {
    // When a process exits, Node.js resets its terminals, and aborts if a terminal no longer exists.
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
}

/** Number of characters up to the milliseconds in a time, such as `2026-11-22T21:04:05.`. */
const SECOND_LENGTH = 20;

/**
 * Creates a function that formats times like `toISOString`. It is several times as fast for times within the same
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
