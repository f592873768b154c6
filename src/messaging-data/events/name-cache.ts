/** Number of remembered names; a power of two. */
const SLOTS = 1024;

/**
 * Remembers which index each name in a buffer was given, to find it again without making a string of it. Each
 * slot holds the last name with its hash: names that share a slot only cost their caller the longer way.
 */
export class NameCache {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #indexOf: (name: string) => number;
  readonly #starts = new Int32Array(SLOTS);
  readonly #lengths = new Int32Array(SLOTS);
  readonly #indexes = new Int32Array(SLOTS);

  /**
   * @param bytes the buffer with the names, in ASCII.
   * @param indexOf returns the index of a name.
   */
  constructor(bytes: Buffer, indexOf: (name: string) => number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#indexOf = indexOf;
  }

  /** Returns the index of the name in `bytes[start, end)`, which is not empty. */
  indexOf(start: number, end: number): number {
    const bytes = this.#bytes;
    const length = end - start;
    const slot = slotOf(bytes, start, end);
    const known = this.#starts[slot] ?? 0;
    if (this.#lengths[slot] === length && this.#isSame(known, start, length)) return this.#indexes[slot] ?? 0;
    const index = this.#indexOf(bytes.toString("latin1", start, end));
    this.#starts[slot] = start;
    this.#lengths[slot] = length;
    this.#indexes[slot] = index;
    return index;
  }

  /** Compares two names from their ends, near which names usually differ, by four bytes at a time. */
  #isSame(a: number, b: number, length: number): boolean {
    const view = this.#view;
    let left = length;
    for (; left >= 4; left -= 4) {
      if (view.getInt32(a + left - 4) !== view.getInt32(b + left - 4)) return false;
    }
    while (--left >= 0) if (view.getUint8(a + left) !== view.getUint8(b + left)) return false;
    return true;
  }
}

/** Hashes the length, the first and the last four bytes. */
function slotOf(bytes: Buffer, start: number, end: number): number {
  let hash = (end - start) ^ ((bytes[start] ?? 0) << 8);
  for (let at = Math.max(start, end - 4); at < end; at++)
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
