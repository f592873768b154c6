import { MessageChannel } from "node:worker_threads";

const NOTHING: Buffer = Buffer.alloc(0);

/** Joins chunks of bytes. Memory use is proportional to their total size, even if there are many small chunks. */
export class ByteCollector {
  #bytes = NOTHING;
  #size = 0;

  /** Number of bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** Adds a chunk. The caller must not change it afterwards. */
  add(piece: Buffer): void {
    const size = this.#size + piece.length;
    if (this.#size === 0) {
      // The first chunk needs no copy. Usually it is the only one.
      this.#bytes = piece;
    } else {
      if (size > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(2 * size);
        this.#bytes.copy(larger, 0, 0, this.#size);
        this.#bytes = larger;
      }
      piece.copy(this.#bytes, this.#size);
    }
    this.#size = size;
  }

  /** Returns the collected bytes. They may share memory with the collector. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }
}

/** Returns the total size of pieces, in bytes. */
export const bytesIn = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);

/** Returns the memory that the typed arrays in some objects use, to transfer or free it. */
export const memoryOf = (...objects: readonly object[]): ArrayBuffer[] =>
  objects
    .flatMap(Object.values)
    .flatMap((value: unknown) =>
      ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
    );

/** A closed port. Memory that is transferred to it is freed. */
const closedPort = new MessageChannel().port1;
closedPort.close();

/**
 * Frees memory immediately instead of at the next garbage collection. Memory that waits for a collection makes it
 * happen earlier, and a collection pauses all calls. Views of the memory become empty.
 */
export function freeMemory(memory: readonly ArrayBuffer[]): void {
  closedPort.postMessage(undefined, memory);
}

/** Maximum number of bytes skipped at a time. */
const STEP = 64 * 1024;

/** Reads a requested number of bytes from a stream of chunks of any size. */
export class ByteQueue {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns true if at least `size` bytes are left. */
  async has(size: number): Promise<boolean> {
    if (this.#buffer.length >= size) return true;
    const collected = new ByteCollector();
    collected.add(this.#buffer);
    while (collected.size < size) {
      const { done, value } = await this.#source.next();
      if (done === true) break;
      collected.add(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    }
    this.#buffer = collected.bytes();
    return this.#buffer.length >= size;
  }

  /** Returns the next bytes without consuming them. @throws Error if fewer bytes are left. */
  async peek(size: number): Promise<Buffer> {
    if (!(await this.has(size))) throw new Error("the data is truncated");
    return this.#buffer.subarray(0, size);
  }

  /** Consumes and returns the next bytes. @throws Error if fewer bytes are left. */
  async read(size: number): Promise<Buffer> {
    const bytes = await this.peek(size);
    this.#buffer = this.#buffer.subarray(size);
    return bytes;
  }

  /** Skips the next bytes. @throws Error if fewer bytes are left. */
  async skip(size: number): Promise<void> {
    for (let left = size; left > 0; left -= STEP) await this.read(Math.min(left, STEP));
  }
}
