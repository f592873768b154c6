/** Pieces that are done in one turn: together they take less than a millisecond. */
const PIECES_A_TURN = 4;

/**
 * Work that can wait, such as to refuse what is one too many: a few pieces in each turn of the event loop, in their order, so
 * that a caller who causes thousands of them at once holds up nobody.
 */
export class Unhurried {
  #pieces: (() => void)[] = [];
  #next = 0;

  /** Does `piece` in a later turn. It must not throw. */
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
