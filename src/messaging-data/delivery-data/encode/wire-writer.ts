/** The wire types of Protocol Buffers that are written here. */
export const WireType = { VARINT: 0, DOUBLE: 1, BYTES: 2 } as const;

/** The tag of a field, which is written as a varint. */
export function tagOf(number: number, type: (typeof WireType)[keyof typeof WireType]): number {
  return (number << 3) | type;
}

/** How many bytes a whole number up to 2⁵³ takes as a varint. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

/** Bytes on the wire, in memory that grows. Room for what is written must have been made before. */
export class WireWriter {
  #bytes: Buffer;
  #view: DataView;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Makes room for so many bytes more. */
  reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  /** A whole number up to 2⁵³, or the tag of a field. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  double(value: number): void {
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  bytes(value: Uint8Array): void {
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** @param size how many bytes the text takes in UTF-8. */
  text(value: string, size: number): void {
    if (size === value.length) {
      // Mostly short: a loop is faster than a call into the runtime.
      for (let i = 0; i < size; i++) this.#bytes[this.#length + i] = value.charCodeAt(i);
    } else {
      this.#bytes.write(value, this.#length);
    }
    this.#length += size;
  }

  /** What was written. Nothing more is to be. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
