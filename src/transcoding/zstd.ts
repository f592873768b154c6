import { Decompress } from "fzstd";
import { MAX_ZSTD_WINDOW_BYTES } from "../limits/limits.js";

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const LARGEST_BLOCK = 128 * 1024;
const RLE_BLOCK = 1;

/**
 * Decodes a stream of zstd frames (RFC 8878) block by block, so that no more is unpacked than is read. The frame layout
 * is checked here, before the decoder allocates the window that a frame declares.
 * @throws Error if the data is malformed, ends within a frame or needs a window above 8 MiB.
 */
export async function* decodeZstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const input = new ByteQueue(source);
  while (await input.has(1)) {
    const magic = (await input.peek(4)).readUInt32LE();
    if ((magic & 0xfffffff0) === SKIPPABLE_MAGIC) {
      const size = (await input.read(8)).readUInt32LE(4);
      await input.skip(size);
    } else if (magic === FRAME_MAGIC) {
      yield* decodeFrame(input);
    } else {
      throw new Error("not a zstd frame");
    }
  }
}

async function* decodeFrame(input: ByteQueue): AsyncGenerator<Buffer> {
  const descriptor = (await input.peek(5)).readUInt8(4);
  const header = await input.read(frameHeaderSize(descriptor));
  checkWindow(header, descriptor);

  let output: Buffer[] = [];
  const decoder = new Decompress((block) => {
    if (block.length > 0) output.push(Buffer.from(block.buffer, block.byteOffset, block.length));
  });
  decoder.push(header);
  for (let last = false; !last; ) {
    const block = (await input.peek(3)).readUIntLE(0, 3);
    last = (block & 1) === 1;
    const type = (block >> 1) & 3;
    const size = block >> 3;
    if (size > LARGEST_BLOCK) throw new Error("zstd block too large");
    // The checksum goes along with the last block; the decoder passes over it.
    const checksum = last && hasChecksum(descriptor) ? 4 : 0;
    decoder.push(await input.read(3 + (type === RLE_BLOCK ? 1 : size) + checksum), last);
    yield* output;
    output = [];
  }
}

// The frame header descriptor (RFC 8878 §3.1.1.1.1).
const isSingleSegment = (descriptor: number): boolean => ((descriptor >> 5) & 1) === 1;
const hasChecksum = (descriptor: number): boolean => ((descriptor >> 2) & 1) === 1;
const dictionaryIdSize = (descriptor: number): number => [0, 1, 2, 4][descriptor & 3] ?? 0;
const contentSizeSize = (descriptor: number): number =>
  [isSingleSegment(descriptor) ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;

const frameHeaderSize = (descriptor: number): number =>
  5 + (isSingleSegment(descriptor) ? 0 : 1) + dictionaryIdSize(descriptor) + contentSizeSize(descriptor);

function checkWindow(header: Buffer, descriptor: number): void {
  let window: number;
  if (isSingleSegment(descriptor)) {
    const size = contentSizeSize(descriptor);
    const at = header.length - size;
    window = size === 8 ? Number(header.readBigUInt64LE(at)) : header.readUIntLE(at, size);
  } else {
    const exponent = header.readUInt8(5) >> 3;
    const mantissa = header.readUInt8(5) & 7;
    window = 2 ** (10 + exponent) * (1 + mantissa / 8);
  }
  if (window > MAX_ZSTD_WINDOW_BYTES) throw new Error("zstd window above 8 MiB");
}

/** Bytes that arrive in chunks of any size, read in pieces of the size that is needed. */
class ByteQueue {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether so many bytes are left. */
  async has(size: number): Promise<boolean> {
    while (this.#buffer.length < size) {
      const next = await this.#source.next();
      if (next.done === true) return false;
      this.#buffer = Buffer.concat([this.#buffer, next.value]);
    }
    return true;
  }

  /** The next bytes, without taking them. @throws Error if there are not so many. */
  async peek(size: number): Promise<Buffer> {
    if (!(await this.has(size))) throw new Error("zstd data cut short");
    return this.#buffer.subarray(0, size);
  }

  async read(size: number): Promise<Buffer> {
    const bytes = await this.peek(size);
    this.#buffer = this.#buffer.subarray(size);
    return bytes;
  }

  async skip(size: number): Promise<void> {
    for (let left = size; left > 0; ) {
      const step = Math.min(left, LARGEST_BLOCK);
      await this.read(step);
      left -= step;
    }
  }
}
