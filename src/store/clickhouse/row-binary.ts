/** Default initial size of a writer, in bytes. */
const INITIAL_BYTES = 64 * 1024;
const TWO_TO_THE_32 = 0x1_0000_0000;

/**
 * Writes values in the engine's format `RowBinary`: row by row, column by column, little-endian. If a number does not
 * fit, its upper bits are lost.
 */
export class RowWriter {
  #buffer: Buffer;
  /** View of the buffer, for faster writing of numbers. */
  #view: DataView;
  #length = 0;

  /** @param room initial size in bytes. */
  constructor(room = INITIAL_BYTES) {
    this.#buffer = Buffer.allocUnsafe(room);
    this.#view = viewOf(this.#buffer);
  }

  /** All bytes written so far. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Size of the memory in bytes. It grows with the rows. */
  get room(): number {
    return this.#buffer.length;
  }

  /** Removes all bytes. The next ones use the same memory. */
  clear(): void {
    this.#length = 0;
  }

  uint8(value: number): void {
    const at = this.#reserve(1);
    this.#view.setUint8(at, value);
  }

  int32(value: number): void {
    const at = this.#reserve(4);
    this.#view.setInt32(at, value, true);
  }

  uint32(value: number): void {
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
  }

  uint32BigEndian(value: number): void {
    const at = this.#reserve(4);
    this.#view.setUint32(at, value);
  }

  uint64(value: bigint): void {
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, value, true);
  }

  /** Writes an integer as 64 bits. It must be from 0 to 2⁵³. */
  count(value: number): void {
    const at = this.#reserve(8);
    this.#view.setUint32(at, value % TWO_TO_THE_32, true);
    this.#view.setUint32(at + 4, Math.floor(value / TWO_TO_THE_32), true);
  }

  /** Writes bytes without their length. */
  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#buffer.set(bytes, at);
  }

  /** Writes a string as its length and its bytes. */
  text(bytes: Uint8Array): void {
    let length = bytes.length;
    for (; length >= 0x80; length >>>= 7) this.uint8((length & 0x7f) | 0x80);
    this.uint8(length);
    this.raw(bytes);
  }

  /** Returns the position for the next `bytes` bytes. May replace the buffer. */
  #reserve(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, at));
      this.#buffer = larger;
      this.#view = viewOf(larger);
    }
    return at;
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

/** Reads values in the engine's format `RowBinary`. */
export class RowReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  int32(): number {
    this.#at += 4;
    return this.#bytes.readInt32LE(this.#at - 4);
  }

  /** Reads a 64-bit integer. The result is exact from 0 to 2⁵³. */
  count(): number {
    this.#at += 8;
    return this.#bytes.readUInt32LE(this.#at - 8) + this.#bytes.readUInt32LE(this.#at - 4) * TWO_TO_THE_32;
  }

  text(): string {
    return this.bytes().toString("utf8");
  }

  /** Reads a string, and returns its bytes. */
  bytes(): Buffer {
    const length = this.#varint();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** Reads an array of `Int32`. */
  int32s(): Int32Array {
    return new Int32Array(this.#array(Int32Array.BYTES_PER_ELEMENT));
  }

  /** Reads an array of `Float64`. */
  float64s(): Float64Array {
    return new Float64Array(this.#array(Float64Array.BYTES_PER_ELEMENT));
  }

  /** Copies an array's elements. They are little-endian, as on common processors. */
  #array(bytesOfElement: number): ArrayBufferLike {
    const bytes = this.#varint() * bytesOfElement;
    const start = this.#bytes.byteOffset + this.#at;
    this.#at += bytes;
    return this.#bytes.buffer.slice(start, start + bytes);
  }

  #varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes.readUInt8(this.#at++);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}
