import { closeSync, openSync, readSync, statSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Ends what a crash left of a line, so that it is no JSON whatever it was. */
const END_OF_TORN_LINE = "!\n";

/** A whole line of a {@link JournalFile}. */
export interface JournalLine {
  /** Counts the lines of the file, from 1. */
  readonly number: number;
  /** How many bytes of the file there are up to its end. */
  readonly end: number;
  /** Without its line break. */
  readonly text: string;
}

/**
 * A file of lines that is only ever added to, by any number of processes. A line without its line break was cut short
 * and does not count. No file is held open between two calls.
 */
export class JournalFile {
  readonly #path: string;
  #inode: number | undefined;
  /** Where the first line begins that was not read yet. */
  #position = 0;
  /** How many lines lie before it. */
  #lineCount = 0;
  /** Whether there is something behind {@link #position} without a line break, as of the last look. */
  #torn = false;
  #directorySynced = false;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * The whole lines that were added since the last call; all at the first. A look at a file that did not grow costs some
   * microseconds.
   *
   * @throws an error of the system, or one that says that the file is not the one it was.
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
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let rest = Buffer.alloc(0);
    const file = openSync(this.#path, "r");
    try {
      for (;;) {
        const count = readSync(file, chunk, 0, CHUNK_BYTES, this.#position + rest.length);
        if (count === 0) break;
        rest = Buffer.concat([rest, chunk.subarray(0, count)]);
        let start = 0;
        for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE, start)) {
          const text = rest.toString("utf8", start, end);
          start = end + 1;
          lines.push({ number: ++this.#lineCount, end: this.#position + start, text });
        }
        this.#position += start;
        rest = rest.subarray(start);
      }
    } finally {
      closeSync(file);
    }
    this.#torn = rest.length > 0;
    return lines;
  }

  /**
   * Adds a line; resolves when it is on disk. Call {@link newLines} before, and afterwards to see whether the line is
   * there: one that met another which was cut short at that moment is spoilt, and both are no lines.
   *
   * @throws an error of the system; the line may or may not be there then.
   */
  async append(line: string): Promise<void> {
    const directory = dirname(this.#path);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const bytes = Buffer.from(`${this.#torn ? END_OF_TORN_LINE : ""}${line}\n`);
    const file = await open(this.#path, "a", 0o600);
    try {
      // One call, so that lines of several processes do not mix.
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.length) {
        throw new Error(`${this.#path}: ${bytesWritten} of ${bytes.length} bytes were written`);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (this.#directorySynced) return;
    // Otherwise the file itself could be missing after a power cut.
    await syncDirectory(directory);
    this.#directorySynced = true;
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
