const NOTHING: Buffer = Buffer.alloc(0);

/** Joins chunks of bytes, in memory proportional to their total size, however small they are. */
export class ByteCollector {
  #bytes = NOTHING;
  #size = 0;

  /** Number of bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** Adds a piece, which must not change afterwards. */
  add(piece: Buffer): void {
    const size = this.#size + piece.length;
    if (this.#size === 0) {
      // The first piece is usually the only one, which then needs no copy.
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
