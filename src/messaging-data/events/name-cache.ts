import { byteAt } from "../../model/collections.js";

/** Number of slots. It is a power of two. */
const SLOTS = 1024;

/**
 * Caches the indexes of names that are read from a buffer, so that a repeated name does not have to be converted to a
 * string. Each slot holds the last name with its hash. If several names share a slot, lookups are slower but still
 * correct.
 */
export class NameCache {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #indexOf: (name: string) => number;
  readonly #starts = new Int32Array(SLOTS);
  readonly #lengths = new Int32Array(SLOTS);
  readonly #indexes = new Int32Array(SLOTS);

  /**
   * @param bytes buffer with ASCII names.
   * @param indexOf returns a name's index.
   */
  constructor(bytes: Buffer, indexOf: (name: string) => number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#indexOf = indexOf;
  }

  /** Returns the index for the name in `bytes[start, end)`. The name must not be empty. */
  indexOf(start: number, end: number): number {
    const bytes = this.#bytes;
    const length = end - start;
    const slot = slotOf(bytes, start, end);
    // A slot number is valid as an index of all three arrays.
    const known = this.#starts[slot] as number;
    if (this.#lengths[slot] === length && this.#isSame(known, start, length))
      return this.#indexes[slot] as number;
    const index = this.#indexOf(bytes.toString("latin1", start, end));
    this.#starts[slot] = start;
    this.#lengths[slot] = length;
    this.#indexes[slot] = index;
    return index;
  }

  /** Compares two names from the end, four bytes at a time, because names usually differ near the end. */
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

/** Hashes a name by its length and its first and last four bytes. */
function slotOf(bytes: Buffer, start: number, end: number): number {
  let hash = (end - start) ^ (byteAt(bytes, start) << 8);
  for (let at = Math.max(start, end - 4); at < end; at++)
    hash = Math.imul(hash ^ byteAt(bytes, at), 0x01000193);
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
