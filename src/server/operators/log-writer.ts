import { write, writeSync } from "node:fs";
import { MAX_LOG_AT_EXIT_MS, MAX_WAITING_LOG_BYTES } from "../../limits/request-limits.js";

/**
 * Time for which lines are collected before they are written together, in milliseconds. Under load, writing each line
 * separately would be the main cost of logging.
 */
const GATHERING_MS = 20;
/** Pause before a write to a full pipe is retried, in milliseconds. */
const RETRY_MS = 5;
const LINE_END = 0x0a;

/** Lines that are being written. A notice of dropped lines may precede them. */
interface Batch {
  readonly bytes: Buffer;
  /** Size of the notice in bytes, or 0 without a notice. */
  readonly noticeBytes: number;
  /** Number of dropped lines that the notice reports. */
  readonly noticed: number;
  written: number;
}

export interface LogWriterOptions {
  /** Formats a line that reports the number of dropped lines. It is written before the next line. */
  readonly noticeOf: (dropped: number) => string;
  /** Called with the number of dropped lines. */
  readonly onDropped: (lines: number) => void;
  /**
   * Maximum size of lines that wait to be written, in bytes. Until a line is in the current write, each of its
   * characters counts as one byte. The default is {@link MAX_WAITING_LOG_BYTES}.
   */
  readonly maxWaiting?: number;
}

/**
 * Writes log lines to a file descriptor without blocking. If a line cannot be written, or if too many bytes are
 * waiting, the line is dropped. Writing resumes as soon as possible.
 */
export class LogWriter {
  readonly #fd: number;
  readonly #options: LogWriterOptions;
  #lines: string[] = [];
  /** Size of {@link #lines}, in characters. Counting bytes would join the parts of each string, which costs more. */
  #gathered = 0;
  #batch: Batch | undefined;
  #isWriting = false;
  #timer: NodeJS.Timeout | undefined;
  /** Number of dropped lines that no notice has reported yet. */
  #unnoticed = 0;
  #endsWithinLine = false;

  /** @param fd non-blocking file descriptor. A write to a full pipe must fail with `EAGAIN`. */
  constructor(fd: number, options: LogWriterOptions) {
    this.#fd = fd;
    this.#options = options;
  }

  /** Writes a line soon. The line must end with a line break. */
  write(line: string): void {
    const { maxWaiting = MAX_WAITING_LOG_BYTES } = this.#options;
    if (this.#gathered + unwritten(this.#batch) + line.length > maxWaiting) {
      this.#drop(1);
      return;
    }
    this.#gathered += line.length;
    this.#lines.push(line);
    if (!this.#isWriting) this.#continueLater();
  }

  /** Tries to write all waiting lines within {@link MAX_LOG_AT_EXIT_MS}. Used when the process exits. */
  flushSync(): void {
    // The operating system completes the write in progress, although its callback is no longer called.
    if (this.#isWriting) this.#batch = undefined;
    const end = performance.now() + MAX_LOG_AT_EXIT_MS;
    for (let batch = this.#nextBatch(); batch !== undefined; batch = this.#nextBatch()) {
      try {
        this.#onWritten(batch, writeSync(this.#fd, batch.bytes, batch.written));
      } catch (error) {
        if (!isBusy(error)) this.#dropRest(batch);
        else if (performance.now() > end) return;
        else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }

  #continueLater(pauseMs = GATHERING_MS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#continue();
    }, pauseMs).unref();
  }

  #continue(): void {
    const batch = this.#nextBatch();
    if (batch === undefined) return;
    this.#isWriting = true;
    write(this.#fd, batch.bytes, batch.written, (error, count) => {
      this.#isWriting = false;
      if (error === null) this.#onWritten(batch, count);
      else if (isBusy(error)) return this.#continueLater(RETRY_MS);
      else this.#dropRest(batch);
      if (this.#batch !== undefined) this.#continue();
      else if (this.#lines.length > 0) this.#continueLater();
    });
  }

  /** Returns the batch in progress, or else a new batch with all waiting lines. */
  #nextBatch(): Batch | undefined {
    if (this.#batch !== undefined || this.#lines.length === 0) return this.#batch;
    const noticed = this.#unnoticed;
    const notice =
      noticed === 0 ? "" : `${this.#endsWithinLine ? "\n" : ""}${this.#options.noticeOf(noticed)}`;
    const bytes = Buffer.from(notice + this.#lines.join(""));
    this.#lines = [];
    this.#gathered = 0;
    this.#batch = { bytes, noticeBytes: Buffer.byteLength(notice), noticed, written: 0 };
    return this.#batch;
  }

  #onWritten(batch: Batch, count: number): void {
    if (count === 0) return;
    const { bytes, noticeBytes, noticed, written: before } = batch;
    batch.written += count;
    if (before < noticeBytes && batch.written >= noticeBytes) this.#unnoticed -= noticed;
    this.#endsWithinLine = bytes[batch.written - 1] !== LINE_END;
    if (batch.written === bytes.length) this.#batch = undefined;
  }

  /** Drops a batch's incomplete lines. */
  #dropRest({ bytes, noticeBytes, written }: Batch): void {
    const rest = bytes.subarray(Math.max(written, noticeBytes));
    this.#batch = undefined;
    this.#drop(rest.reduce((lines, byte) => (byte === LINE_END ? lines + 1 : lines), 0));
  }

  #drop(lines: number): void {
    this.#unnoticed += lines;
    this.#options.onDropped(lines);
  }
}

const unwritten = (batch: Batch | undefined): number =>
  batch === undefined ? 0 : batch.bytes.length - batch.written;

function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EAGAIN" || code === "EINTR";
}
