import { setImmediate as nextTick } from "node:timers/promises";
import { Decompress } from "fzstd";
import type { Release } from "../../limits/budget.js";
import { ByteQueue } from "../../limits/byte-buffers.js";
import {
  MAX_ZSTD_EMPTY_WORK_BYTES,
  MAX_ZSTD_SLICE_MS,
  MAX_ZSTD_WINDOW_BYTES,
  MAX_ZSTD_WORK_BYTES,
} from "../../limits/request-limits.js";

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
/** Maximum block size, in bytes (RFC 8878 §3.1.1.2.4). */
const MAX_BLOCK_BYTES = 128 * 1024;
const RLE_BLOCK = 1;

/** All memory for windows is in use. */
export class ZstdBusyError extends Error {
  override readonly name = "ZstdBusyError";
}

export interface ZstdOptions {
  /** Stops decoding at the next event loop tick. */
  readonly signal?: AbortSignal;
  /** Reserves memory for a window before the decoder allocates it. Returns `undefined` if too little memory is free. */
  readonly takeWindow?: (bytes: number) => Release | undefined;
}

const takeAnyWindow = (): Release => () => {};

/**
 * Decodes zstd frames (RFC 8878) block by block, as fast as the reader accepts them. Checks each frame header before
 * the decoder allocates the window that the header declares.
 *
 * @throws ZstdBusyError if there is no memory for a window.
 * @throws Error if the data is malformed, ends within a frame, needs a window above 8 MiB, or needs far more work than
 * its output justifies.
 */
export async function* decodeZstd(
  source: AsyncIterable<Uint8Array>,
  { signal, takeWindow = takeAnyWindow }: ZstdOptions = {},
): AsyncGenerator<Buffer> {
  const input = new ByteQueue(source);
  const effort = new Effort(signal);
  while (await input.has(1)) {
    const magic = (await input.peek(4)).readUInt32LE();
    if ((magic & 0xfffffff0) === SKIPPABLE_MAGIC) {
      const size = (await input.read(8)).readUInt32LE(4);
      await effort.spend(0);
      await input.skip(size);
    } else if (magic === FRAME_MAGIC) {
      yield* decodeFrame(input, effort, takeWindow);
    } else {
      throw new Error("not a zstd frame");
    }
  }
}

async function* decodeFrame(
  input: ByteQueue,
  effort: Effort,
  takeWindow: (bytes: number) => Release | undefined,
): AsyncGenerator<Buffer> {
  const descriptor = (await input.peek(5)).readUInt8(4);
  const header = await input.read(frameHeaderSize(descriptor));
  const window = windowOf(header, descriptor);
  if (window > MAX_ZSTD_WINDOW_BYTES) throw new Error("zstd window above 8 MiB");
  await effort.spend(window);
  const release = takeWindow(window);
  if (release === undefined) throw new ZstdBusyError("no memory for another zstd window");
  try {
    yield* decodeBlocks(input, effort, { header, window, checksumSize: hasChecksum(descriptor) ? 4 : 0 });
  } finally {
    release();
  }
}

/** A frame after its header was read. */
interface OpenFrame {
  readonly header: Buffer;
  /** Window size, in bytes. */
  readonly window: number;
  readonly checksumSize: number;
}

async function* decodeBlocks(
  input: ByteQueue,
  effort: Effort,
  { header, window, checksumSize }: OpenFrame,
): AsyncGenerator<Buffer> {
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
    if (size > MAX_BLOCK_BYTES) throw new Error("zstd block too large");
    // The checksum goes to the decoder with the last block. The decoder ignores it.
    const checksum = last ? checksumSize : 0;
    const bytes = await input.read(3 + (type === RLE_BLOCK ? 1 : size) + checksum);
    // The decoder moves its whole window for every block.
    await effort.spend(window);
    decoder.push(bytes, last);
    for (const { length } of output) effort.earn(length);
    yield* output;
    output = [];
  }
}

// Fields of the frame header descriptor (RFC 8878 §3.1.1.1.1).
const isSingleSegment = (descriptor: number): boolean => ((descriptor >> 5) & 1) === 1;
const hasChecksum = (descriptor: number): boolean => ((descriptor >> 2) & 1) === 1;
const dictionaryIdSize = (descriptor: number): number => (1 << (descriptor & 3)) >> 1;
const contentSizeSize = (descriptor: number): number =>
  descriptor >> 6 === 0 ? Number(isSingleSegment(descriptor)) : 1 << (descriptor >> 6);

const frameHeaderSize = (descriptor: number): number =>
  5 + (isSingleSegment(descriptor) ? 0 : 1) + dictionaryIdSize(descriptor) + contentSizeSize(descriptor);

/** Reads the declared window size, in bytes. */
function windowOf(header: Buffer, descriptor: number): number {
  if (isSingleSegment(descriptor)) {
    const size = contentSizeSize(descriptor);
    const at = header.length - size;
    return size === 8 ? Number(header.readBigUInt64LE(at)) : header.readUIntLE(at, size);
  }
  const exponent = header.readUInt8(5) >> 3;
  const mantissa = header.readUInt8(5) & 7;
  return 2 ** (10 + exponent) * (1 + mantissa / 8);
}

/** Minimum cost of a frame or block. The unit is bytes of memory that could be moved in the same time. */
const MIN_WORK_BYTES = 16 * 1024;

/** Limits the work on a body in proportion to its output, and yields to the event loop. */
class Effort {
  readonly #signal: AbortSignal | undefined;
  #left = MAX_ZSTD_EMPTY_WORK_BYTES;
  #turnBegan = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /**
   * Accounts for work before it starts.
   *
   * @param window bytes of memory that the work moves.
   * @throws Error if the work exceeds its limit; the abort reason of the signal.
   */
  async spend(window: number): Promise<void> {
    this.#left -= window + MIN_WORK_BYTES;
    if (this.#left < 0) throw new Error("zstd frames and blocks out of proportion to their content");
    if (performance.now() - this.#turnBegan < MAX_ZSTD_SLICE_MS) return;
    await nextTick();
    this.#signal?.throwIfAborted();
    this.#turnBegan = performance.now();
  }

  /** Accounts for output bytes. */
  earn(bytes: number): void {
    this.#left += MAX_ZSTD_WORK_BYTES * bytes;
  }
}
