import { FairQueue } from "./fair-queue.js";

/** Pieces of work per turn of the event loop; together they need less than a millisecond. */
const PIECES_A_TURN = 4;

/**
 * Work that can wait, such as refusing requests beyond a limit: a few pieces in each turn of the event loop,
 * with callers in turns. A caller that causes thousands of pieces at once delays nobody.
 */
export class Unhurried {
  readonly #pieces = new FairQueue<() => void>();

  /** Does `piece` in a later turn. It must not throw. */
  add(caller: string, piece: () => void): void {
    if (this.#pieces.isEmpty) setImmediate(() => this.#turn());
    this.#pieces.push(caller, piece);
  }

  #turn(): void {
    // A piece that is added by the last of these must not schedule a second series of turns.
    const pieces = Array.from({ length: PIECES_A_TURN }, () => this.#pieces.shift());
    if (!this.#pieces.isEmpty) setImmediate(() => this.#turn());
    for (const piece of pieces) piece?.();
  }
}
