import type { Release } from "./budget.js";

/** How many may wait for their turn. */
export interface WaitingLimits {
  /** All callers together. */
  readonly total: number;
  /** One caller. */
  readonly each: number;
}

interface Waiting {
  readonly begin: (release: Release) => void;
}

/**
 * Turns that callers take at something that only so much of can be done at a time: whoever waits comes by turns with the
 * other callers, however much of it each of them asks for.
 */
export class FairTurns {
  readonly #tryBegin: (caller: string) => Release | undefined;
  readonly #limits: WaitingLimits;
  /** Those that wait, by caller; the caller whose turn was last stands last. */
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;

  /** @param tryBegin takes what a turn of the caller needs; `undefined` if there is not enough of it now. */
  constructor(tryBegin: (caller: string) => Release | undefined, limits: WaitingLimits) {
    this.#tryBegin = tryBegin;
    this.#limits = limits;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#total;
  }

  /**
   * Waits for a turn.
   *
   * @returns what ends the turn; the promise rejects with the reason of `signal` if that aborts before. `undefined` if too
   *   many wait already.
   */
  take(caller: string, signal: AbortSignal): Promise<Release> | undefined {
    const own = this.#waiting.get(caller) ?? [];
    if (own.length === 0) {
      const release = this.#tryBegin(caller);
      if (release !== undefined) return Promise.resolve(this.#ending(release));
    }
    if (own.length >= this.#limits.each || this.#total >= this.#limits.total) return undefined;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(caller, waiting);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        begin: (release) => {
          signal.removeEventListener("abort", leave);
          resolve(this.#ending(release));
        },
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
      own.push(waiting);
      this.#waiting.set(caller, own);
      this.#total++;
    });
  }

  /** Begins the turns that have become possible. To be called when there is more of what they need. */
  next(): void {
    for (let begun = this.#total > 0; begun; ) {
      begun = false;
      for (const [caller, [first]] of [...this.#waiting]) {
        const release = first && this.#tryBegin(caller);
        if (first === undefined || release === undefined) continue;
        this.#remove(caller, first);
        const rest = this.#waiting.get(caller);
        if (rest !== undefined) {
          this.#waiting.delete(caller);
          this.#waiting.set(caller, rest);
        }
        first.begin(release);
        begun = true;
      }
    }
  }

  #ending(release: Release): Release {
    return () => {
      release();
      // Who ends a turn may take something of what it has released first.
      queueMicrotask(() => this.next());
    };
  }

  #remove(caller: string, waiting: Waiting): void {
    const own = this.#waiting.get(caller) ?? [];
    own.splice(own.indexOf(waiting), 1);
    this.#total--;
    if (own.length === 0) this.#waiting.delete(caller);
  }
}
