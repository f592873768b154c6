/** The wire types of Protocol Buffers that responses use. */
export const WireType = { VARINT: 0, DOUBLE: 1, BYTES: 2 } as const;

/** Returns a field's tag, which is written as a varint. */
export function tagOf(number: number, type: (typeof WireType)[keyof typeof WireType]): number {
  return (number << 3) | type;
}

/** Returns an integer's size as a varint, in bytes. The integer must not exceed 2⁵³. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

/** Writes the wire format of Protocol Buffers to growing memory. Callers must reserve space before they write. */
export class WireWriter {
  #bytes: Buffer;
  #view: DataView;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Reserves space for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  /** Writes a varint: an integer up to 2⁵³, or a field tag. */
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

  /** Writes a string. @param size size of the string in UTF-8, in bytes. */
  text(value: string, size: number): void {
    if (size === value.length) {
      // Strings are usually short and ASCII. For them, a loop is faster than a call of the runtime's encoder.
      for (let i = 0; i < size; i++) this.#bytes[this.#length + i] = value.charCodeAt(i);
    } else {
      this.#bytes.write(value, this.#length);
    }
    this.#length += size;
  }

  /** Returns the written bytes. The writer must not be used any more. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
