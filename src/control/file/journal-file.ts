import { closeSync, openSync, readSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { makeDirectory } from "./make-directory.js";
import { syncDirectory } from "./sync-directory.js";

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Terminates a line that a crash left unfinished, and keeps it from being valid JSON. */
const END_OF_TORN_LINE = "!\n";

/** A complete line of a {@link JournalFile}. */
export interface JournalLine {
  /** Number of the line in the file, from 1. */
  readonly number: number;
  /** Offset of the end of the line in the file, in bytes. */
  readonly end: number;
  /** The line without its line break. */
  readonly text: string;
}

/**
 * An append-only file of lines that any number of processes may write. Text without a line break at its end
 * is an unfinished line and is ignored. No file stays open between calls.
 */
export class JournalFile {
  readonly #path: string;
  #inode: number | undefined;
  /** Offset of the first unread line, in bytes. */
  #position = 0;
  /** Number of lines before {@link #position}. */
  #lineCount = 0;
  /** True if unfinished text followed {@link #position} at the last read. */
  #torn = false;
  #directorySynced = false;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Returns the complete lines added since the last call; the first call returns all. Costs a few
   * microseconds if the file has not grown.
   *
   * @throws an error of the system, or an error if the file was removed, replaced or cut.
   */
  newLines(): JournalLine[] {
    const info = statSync(this.#path, { throwIfNoEntry: false });
    if (info === undefined && this.#inode === undefined) return [];
    this.#inode ??= info?.ino;
    if (info === undefined || info.ino !== this.#inode || info.size < this.#position) {
      throw new Error(`${this.#path} was removed, replaced or cut while in use`);
    }
    return info.size === this.#position ? [] : this.#readLines();
  }

  #readLines(): JournalLine[] {
    const lines: JournalLine[] = [];
    /** The parts of the unfinished line, which are joined once: a line may take many reads. */
    let parts: Buffer[] = [];
    let offset = this.#position;
    const file = openSync(this.#path, "r");
    try {
      for (;;) {
        const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
        const count = readSync(file, chunk, 0, CHUNK_BYTES, offset);
        if (count === 0) break;
        const bytes = chunk.subarray(0, count);
        let start = 0;
        for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
          const text = Buffer.concat([...parts, bytes.subarray(start, end)]).toString("utf8");
          parts = [];
          start = end + 1;
          this.#position = offset + start;
          lines.push({ number: ++this.#lineCount, end: this.#position, text });
        }
        if (start < count) parts.push(bytes.subarray(start));
        offset += count;
      }
    } finally {
      closeSync(file);
    }
    this.#torn = parts.length > 0;
    return lines;
  }

  /**
   * Appends a line; resolves when it is on disk. Call {@link newLines} before, and again afterwards to see
   * whether the line is there: a line appended right behind an unfinished one merges with it, and neither is
   * valid.
   *
   * @throws an error of the system; the line may or may not have been written then.
   */
  async append(line: string): Promise<void> {
    const directory = dirname(this.#path);
    await makeDirectory(directory);
    const bytes = Buffer.from(`${this.#torn ? END_OF_TORN_LINE : ""}${line}\n`);
    const file = await open(this.#path, "a", 0o600);
    try {
      // One write call keeps lines of several processes apart.
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.length) {
        throw new Error(`${this.#path}: ${bytesWritten} of ${bytes.length} bytes were written`);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (this.#directorySynced) return;
    await syncDirectory(directory);
    this.#directorySynced = true;
  }
}
