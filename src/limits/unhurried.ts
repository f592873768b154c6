/** Pieces that run in one turn of the event loop; together they take less than a millisecond. */
const PIECES_A_TURN = 4;

/**
 * Runs work that can wait, such as refusing excess calls: a few pieces in each turn of the event loop, in
 * order. A caller that causes thousands of pieces at once delays nobody else.
 */
export class Unhurried {
  #pieces: (() => void)[] = [];
  #next = 0;

  /** Runs `piece` in a later turn of the event loop. It must not throw. */
  add(piece: () => void): void {
    this.#pieces.push(piece);
    if (this.#pieces.length === 1) setImmediate(() => this.#turn());
  }

  #turn(): void {
    const end = Math.min(this.#next + PIECES_A_TURN, this.#pieces.length);
    while (this.#next < end) this.#pieces[this.#next++]?.();
    if (this.#next < this.#pieces.length) {
      setImmediate(() => this.#turn());
    } else {
      this.#pieces = [];
      this.#next = 0;
    }
  }
}
