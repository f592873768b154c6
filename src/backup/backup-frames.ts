import * as z from "zod";
import { BackupError, manifestSchema } from "./backup-directory.js";

/** Maximum size of a frame, in bytes. The last frame lists all files. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

const frameSchema = z.union([
  /** Progress: number of bytes in the snapshot so far. */
  z.strictObject({ snapshotBytes: z.number() }),
  /** The snapshot is complete. The total size includes all following files. */
  z.strictObject({ totalBytes: z.number() }),
  /** A file. Its bytes follow this line. */
  z.strictObject({ file: z.string(), bytes: z.number().int().min(0) }),
  /** The backup failed. */
  z.strictObject({ error: z.string() }),
  /** The backup is complete. */
  z.strictObject({ complete: manifestSchema }),
]);

/** A frame of a backup stream, as a line of JSON. After a `file` frame, the stream has the file's bytes. */
export type Frame = z.output<typeof frameSchema>;

/** Encodes a frame as a line of JSON. */
export const encodeFrame = (frame: Frame): Buffer => Buffer.from(`${JSON.stringify(frame)}\n`);

/** Reads frames and file contents from a stream. */
export class FrameReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads a frame. @throws BackupError if the stream ends, or if it contains anything other than a frame. */
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
      throw new BackupError("the server did not send a backup", { cause });
    }
  }

  /** Reads a number of bytes. @throws BackupError if the stream ends before that. */
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
      throw new BackupError("the connection ended before the backup was complete", { cause });
    });
    if (done === true) throw new BackupError("the connection ended before the backup was complete");
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}
