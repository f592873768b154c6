import type { Release } from "./budget.js";
import { limitWait, NoSlotError } from "./limit-wait.js";

/** Most calls that may wait for their turn. */
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
 * Turns at a scarce resource. Waiting callers take turns with each other, however much each of them asks for.
 */
export class FairTurns {
  readonly #tryBegin: (caller: string) => Release | undefined;
  readonly #limits: WaitingLimits;
  /** Waiting calls, by caller; the caller that had the latest turn is last. */
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;

  /**
   * @param tryBegin takes the resources for a turn of the caller; returns `undefined` if there are too few
   *   now.
   */
  constructor(tryBegin: (caller: string) => Release | undefined, limits: WaitingLimits) {
    this.#tryBegin = tryBegin;
    this.#limits = limits;
  }

  /** Number of waiting calls. */
  get waiting(): number {
    return this.#total;
  }

  /**
   * Waits for a turn.
   *
   * @param maxMs maximum wait, as in {@link limitWait}.
   * @returns ends the turn.
   * @throws NoSlotError if too many calls wait already, WaitTimeoutError after the maximum wait; the reason of `signal` if it
   *   aborts first.
   */
  async take(caller: string, signal?: AbortSignal, maxMs?: number): Promise<Release> {
    const own = this.#waiting.get(caller) ?? [];
    if (own.length === 0) {
      const release = this.#tryBegin(caller);
      if (release !== undefined) return this.#ending(release);
    }
    if (own.length >= this.#limits.each || this.#total >= this.#limits.total) {
      throw new NoSlotError("too many calls wait for a slot");
    }
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown): void => {
        this.#remove(caller, waiting);
        reject(reason);
      };
      const endWait = limitWait(leave, signal, maxMs);
      const waiting: Waiting = {
        begin: (release) => {
          endWait();
          resolve(this.#ending(release));
        },
      };
      own.push(waiting);
      this.#waiting.set(caller, own);
      this.#total++;
    });
  }

  /** Begins every turn that is possible now. Call it when resources are freed outside of a turn. */
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
      // The code that ends a turn may first take some of the resources that it released.
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
