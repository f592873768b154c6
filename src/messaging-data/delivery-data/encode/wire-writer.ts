/** Wire types of Protocol Buffers used here. */
export const WireType = { VARINT: 0, DOUBLE: 1, BYTES: 2 } as const;

/** Returns a field's tag, to write as a varint. */
export function tagOf(number: number, type: (typeof WireType)[keyof typeof WireType]): number {
  return (number << 3) | type;
}

/** Returns an integer's varint size up to 2⁵³, in bytes. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

/**
 * Writes the wire format of Protocol Buffers into growing memory. Callers reserve space before they write.
 */
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

  /** Writes an integer up to 2⁵³, or a field's tag. */
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

  /** @param size size in UTF-8, in bytes. */
  text(value: string, size: number): void {
    if (size === value.length) {
      // ASCII, and usually short: a loop is faster than a call into the runtime.
      for (let i = 0; i < size; i++) this.#bytes[this.#length + i] = value.charCodeAt(i);
    } else {
      this.#bytes.write(value, this.#length);
    }
    this.#length += size;
  }

  /** Returns the bytes written. The writer must not be used afterwards. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
