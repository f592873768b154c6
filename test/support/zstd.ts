/** Largest block of a frame (RFC 8878 §3.1.1.2). */
const BLOCK = 128 * 1024;
const FRAME_MAGIC = 0xfd2fb528;
const RLE_BLOCK = 1 << 1;

/** Fields of a frame header. */
export interface ZstdFrame {
  /** Exponent of the window: 2^(10 + exponent) bytes; 128 KiB by default. */
  readonly windowExponent?: number;
}

/** Creates a zstd frame with uncompressed blocks (RFC 8878), because Node.js 20 does not support zstd. */
export function zstdOf(bytes: Buffer, { windowExponent = 7 }: ZstdFrame = {}): Buffer {
  const pieces: Buffer[] = [frameHeader(windowExponent)];
  for (let start = 0; start === 0 || start < bytes.length; start += BLOCK) {
    const block = bytes.subarray(start, start + BLOCK);
    const isLast = start + BLOCK >= bytes.length;
    const blockHeader = Buffer.alloc(3);
    blockHeader.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3);
    pieces.push(blockHeader, block);
  }
  return Buffer.concat(pieces);
}

/** Creates a zstd frame that decompresses to `size` zeros. It has four bytes for each 128 KiB. */
export function zstdZeros(size: number): Buffer {
  const blocks = Math.ceil(size / BLOCK);
  const frame = Buffer.alloc(6 + 4 * blocks);
  frameHeader(7).copy(frame);
  for (let index = 0; index < blocks; index++) {
    const isLast = index === blocks - 1;
    frame.writeUIntLE((BLOCK << 3) | RLE_BLOCK | (isLast ? 1 : 0), 6 + 4 * index, 3);
  }
  return frame;
}

function frameHeader(windowExponent: number): Buffer {
  const header = Buffer.alloc(6);
  header.writeUInt32LE(FRAME_MAGIC);
  header.writeUInt8(windowExponent << 3, 5);
  return header;
}
