import { Budget, type BudgetLimits, type Release } from "./budget.js";
import { MAX_PIECE_BYTES } from "./limits.js";

/** Memory that several answers to a caller are made of. */
interface SharedMemory {
  answers: number;
  readonly release: Release;
}

/**
 * Bytes of answers that were handed over and that their clients have not taken yet.
 *
 * The system, TLS and HTTP/2 copy of each answer what is being written: up to a piece. The rest is memory that answers may
 * share, as those of a page that is kept do. So each answer counts as a piece, and what is larger counts once for each caller.
 */
export class UnreadBytes {
  readonly #budget: Budget;
  readonly #shared = new Map<ArrayBufferLike, Map<string, SharedMemory>>();

  constructor(limits: BudgetLimits) {
    this.#budget = new Budget(limits);
  }

  /** What all callers hold together. */
  get total(): number {
    return this.#budget.total;
  }

  /** Keeps room for an answer that is yet to be made. @returns `undefined` if there is not as much. */
  reserve(caller: string, bytes: number): Release | undefined {
    return this.#budget.take(caller, bytes);
  }

  /** Counts an answer until it is released. @returns `undefined` if it is more than the caller or all may hold. */
  hold(caller: string, { buffer, length }: Uint8Array): Release | undefined {
    const releasePiece = this.#budget.take(caller, Math.min(length, MAX_PIECE_BYTES));
    if (releasePiece === undefined || length <= MAX_PIECE_BYTES) return releasePiece;
    const releaseWhole = this.#share(caller, buffer, length);
    if (releaseWhole === undefined) {
      releasePiece();
      return undefined;
    }
    return () => {
      releasePiece();
      releaseWhole();
    };
  }

  #share(caller: string, memory: ArrayBufferLike, bytes: number): Release | undefined {
    const callers = this.#shared.get(memory) ?? new Map<string, SharedMemory>();
    let shared = callers.get(caller);
    if (shared === undefined) {
      const release = this.#budget.take(caller, bytes);
      if (release === undefined) return undefined;
      shared = { answers: 0, release };
      this.#shared.set(memory, callers.set(caller, shared));
    }
    shared.answers++;
    return this.#releaseOf(caller, memory, shared);
  }

  #releaseOf(caller: string, memory: ArrayBufferLike, shared: SharedMemory): Release {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      shared.answers--;
      if (shared.answers > 0) return;
      shared.release();
      const callers = this.#shared.get(memory);
      callers?.delete(caller);
      if (callers?.size === 0) this.#shared.delete(memory);
    };
  }
}
