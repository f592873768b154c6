const NOTHING: Buffer = Buffer.alloc(0);

/** Joins bytes that come in pieces, in memory in proportion to their sum, however small the pieces are. */
export class ByteCollector {
  #bytes = NOTHING;
  #size = 0;

  /** How many bytes there are. */
  get size(): number {
    return this.#size;
  }

  /** Adds a piece, which must not change afterwards. */
  add(piece: Buffer): void {
    const size = this.#size + piece.length;
    if (this.#size === 0) {
      // Most often the only one, which then need not be copied.
      this.#bytes = piece;
    } else {
      if (size > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(2 * size);
        this.#bytes.copy(larger, 0, 0, this.#size);
        this.#bytes = larger;
      }
      piece.copy(this.#bytes, this.#size);
    }
    this.#size = size;
  }

  /** The bytes so far, in memory that the collector may share. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }
}
