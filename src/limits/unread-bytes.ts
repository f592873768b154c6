import { Budget, type BudgetLimits, type Release } from "./budget.js";
import { MAX_PIECE_BYTES } from "./request-limits.js";

/** Memory that several responses to one caller share. */
interface SharedMemory {
  responses: number;
  readonly release: Release;
}

/**
 * Counts response bytes that clients have not read yet.
 *
 * While a response is being written, the operating system, TLS and HTTP/2 hold a copy of up to one piece of it. The
 * rest of its memory may be shared with other responses, for example if it is a cached page. Each response therefore
 * counts with up to one piece. In addition, a larger response's memory counts, once per caller.
 */
export class UnreadBytes {
  readonly #budget: Budget;
  readonly #shared = new Map<ArrayBufferLike, Map<string, SharedMemory>>();

  constructor(limits: BudgetLimits) {
    this.#budget = new Budget(limits);
  }

  get total(): number {
    return this.#budget.total;
  }

  /** Returns true if a caller may have this many additional unread bytes now. */
  hasRoom(caller: string, bytes: number): boolean {
    return this.#budget.hasRoom(caller, bytes);
  }

  /** Reserves bytes for a response that is being created. @returns `undefined` if too few are free. */
  reserve(caller: string, bytes: number): Release | undefined {
    return this.#budget.take(caller, bytes);
  }

  /** Counts a response's bytes until they are released. @returns `undefined` if a limit would be exceeded. */
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
      shared = { responses: 0, release };
      this.#shared.set(memory, callers.set(caller, shared));
    }
    shared.responses++;
    return this.#releaseOf(caller, memory, shared);
  }

  #releaseOf(caller: string, memory: ArrayBufferLike, shared: SharedMemory): Release {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      shared.responses--;
      if (shared.responses > 0) return;
      shared.release();
      const callers = this.#shared.get(memory);
      callers?.delete(caller);
      if (callers?.size === 0) this.#shared.delete(memory);
    };
  }
}
