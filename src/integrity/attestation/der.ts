import { MalformedInput } from "./steps.js";

/** Tags that certificates use (X.690 §8.1.2). */
export const Tag = {
  BOOLEAN: 0x01,
  INTEGER: 0x02,
  BIT_STRING: 0x03,
  OCTET_STRING: 0x04,
  OBJECT_IDENTIFIER: 0x06,
  UTC_TIME: 0x17,
  GENERALIZED_TIME: 0x18,
  SEQUENCE: 0x30,
  /** The first member of an authority key identifier, `[0] IMPLICIT OCTET STRING`. */
  KEY_IDENTIFIER: 0x80,
  /** A constructed, context-specific tag. */
  context: (number: number): number => 0xa0 | number,
} as const;

/** A DER element: its tag, its content, and all its bytes. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly bytes: Uint8Array;
}

/** Reads consecutive DER elements (X.690). It descends into an element only on request, so it needs no depth limit. */
export class DerReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** True if no bytes remain. */
  get isDone(): boolean {
    return this.#position === this.#bytes.length;
  }

  /** Returns the next tag; undefined at the end. */
  get nextTag(): number | undefined {
    return this.#bytes[this.#position];
  }

  /** Reads the next element. @throws MalformedInput if no bytes remain, or if the element has another tag. */
  read(tag?: number): DerElement {
    const start = this.#position;
    const found = this.#byte();
    if ((found & 0x1f) === 0x1f) throw new MalformedInput("a DER tag of several bytes");
    if (tag !== undefined && found !== tag)
      throw new MalformedInput(`DER tag ${hex(found)} instead of ${hex(tag)}`);
    const length = this.#length();
    const end = this.#position + length;
    if (end > this.#bytes.length) throw new MalformedInput(`a DER element that ends after its container`);
    const content = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return { tag: found, content, bytes: this.#bytes.subarray(start, end) };
  }

  /** Reads the next element if it has this tag. */
  readIf(tag: number): DerElement | undefined {
    return this.nextTag === tag ? this.read(tag) : undefined;
  }

  /** Returns a reader of the next element's content. */
  enter(tag: number): DerReader {
    return new DerReader(this.read(tag).content);
  }

  /** @throws MalformedInput if bytes remain. */
  end(): void {
    if (!this.isDone)
      throw new MalformedInput(`${this.#bytes.length - this.#position} bytes after the DER element`);
  }

  #byte(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw new MalformedInput("DER that ends too early");
    this.#position += 1;
    return byte;
  }

  /** Reads a definite length in its shortest form (X.690 §10.1), of at most 2 bytes. */
  #length(): number {
    const first = this.#byte();
    if (first < 0x80) return first;
    if (first !== 0x81 && first !== 0x82)
      throw new MalformedInput(`a DER length that begins with ${hex(first)}`);
    const length = first === 0x81 ? this.#byte() : this.#byte() * 256 + this.#byte();
    if (length < (first === 0x81 ? 0x80 : 0x100))
      throw new MalformedInput("a DER length that is not the shortest");
    return length;
  }
}

const hex = (byte: number): string => `0x${byte.toString(16).padStart(2, "0")}`;

/** Reads bytes that are exactly one element with this tag. @throws MalformedInput */
export function readDer(bytes: Uint8Array, tag: number): DerReader {
  const reader = new DerReader(bytes);
  const content = reader.enter(tag);
  reader.end();
  return content;
}

/** Converts an object identifier to dotted form. @throws MalformedInput */
export function objectIdentifier(content: Uint8Array): string {
  const arcs: number[] = [];
  let arc = 0;
  let isOpen = false;
  for (const byte of content) {
    if (!isOpen && byte === 0x80) throw new MalformedInput("an object identifier that is not the shortest");
    arc = arc * 128 + (byte & 0x7f);
    if (arc > 0xffff_ffff || arcs.length > MAX_ARCS)
      throw new MalformedInput("an object identifier that is too long");
    isOpen = byte >= 0x80;
    if (isOpen) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first, ...others] = arcs;
  if (first === undefined || isOpen) throw new MalformedInput("an object identifier that ends too early");
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - 40 * root, ...others].join(".");
}

/** Maximum number of arcs of an object identifier. */
const MAX_ARCS = 20;
