import { ByteCollector } from "./byte-collector.js";

/** Bytes are passed over in steps of this size. */
const STEP = 64 * 1024;

/** Bytes that arrive in chunks of any size, read in pieces of the size that is needed. */
export class ByteQueue {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether so many bytes are left. */
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

  /** The next bytes, without taking them. @throws Error if there are not so many. */
  async peek(size: number): Promise<Buffer> {
    if (!(await this.has(size))) throw new Error("the data is cut short");
    return this.#buffer.subarray(0, size);
  }

  /** Takes the next bytes. @throws Error if there are not so many. */
  async read(size: number): Promise<Buffer> {
    const bytes = await this.peek(size);
    this.#buffer = this.#buffer.subarray(size);
    return bytes;
  }

  /** Passes over the next bytes. @throws Error if there are not so many. */
  async skip(size: number): Promise<void> {
    for (let left = size; left > 0; left -= STEP) await this.read(Math.min(left, STEP));
  }
}
