import { z } from "zod";
import { BackupError } from "./backup-error.js";
import { manifestSchema } from "./manifest.js";

/** Maximum length of a line between files, in bytes: the last one names all files. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

const frameSchema = z.union([
  /** The server still writes its snapshot, which has this many bytes. */
  z.strictObject({ snapshotBytes: z.number() }),
  /** The snapshot is complete; the files that follow have this many bytes. */
  z.strictObject({ totalBytes: z.number() }),
  /** A file, whose bytes follow the line. */
  z.strictObject({ file: z.string(), bytes: z.number().int().min(0) }),
  /** The end of a backup that could not be completed. */
  z.strictObject({ error: z.string() }),
  /** The end of a complete backup. */
  z.strictObject({ complete: manifestSchema }),
]);

/** A line of a backup on its way: JSON, followed by the bytes of a file if it announces one. */
export type Frame = z.output<typeof frameSchema>;

/** Encodes a frame as a line. */
export const encodeFrame = (frame: Frame): Buffer => Buffer.from(`${JSON.stringify(frame)}\n`);

/** Reads lines and bytes in turn from a stream. */
export class FrameReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** @throws BackupError if the stream ends, or continues with something else. */
  async frame(): Promise<Frame> {
    let end = this.#rest.indexOf(NEWLINE);
    while (end < 0 && this.#rest.length < MAX_LINE_BYTES) {
      this.#rest = Buffer.concat([this.#rest, await this.#chunk()]);
      end = this.#rest.indexOf(NEWLINE);
    }
    const line = this.#rest.toString("utf8", 0, Math.max(0, end));
    this.#rest = this.#rest.subarray(end + 1);
    try {
      return frameSchema.parse(JSON.parse(line));
    } catch (cause) {
      throw new BackupError("the server sent something other than a backup", { cause });
    }
  }

  /** Reads a number of bytes. @throws BackupError if the stream ends before. */
  async *bytes(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#chunk();
      const chunk = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(chunk.length);
      left -= chunk.length;
      yield chunk;
    }
  }

  async #chunk(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next().catch((cause: unknown) => {
      throw new BackupError("the connection ended before the backup did", { cause });
    });
    if (done === true) throw new BackupError("the connection ended before the backup did");
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}
