import type { Release } from "./budget.js";
import { limitWait, NoSlotError } from "./limit-wait.js";

/** Limits on the number of queued calls. */
export interface WaitingLimits {
  /** Limit for all callers together. */
  readonly total: number;
  /** Limit for one caller. */
  readonly each: number;
}

interface Waiting {
  readonly begin: (release: Release) => void;
}

/** Slots for a scarce resource. The queue is fair between callers, even if one of them requests many slots. */
export class FairSlots {
  readonly #tryBegin: (caller: string) => Release | undefined;
  readonly #limits: WaitingLimits;
  /** Queued calls, by caller. The caller that got a slot most recently is last. */
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;

  /** @param tryBegin reserves the resources for a slot. Returns `undefined` if too few resources are free now. */
  constructor(tryBegin: (caller: string) => Release | undefined, limits: WaitingLimits) {
    this.#tryBegin = tryBegin;
    this.#limits = limits;
  }

  /** Number of queued calls. */
  get waiting(): number {
    return this.#total;
  }

  /**
   * Waits for a slot.
   *
   * @param maxMs maximum wait, as in {@link limitWait}.
   * @returns a function that ends the slot.
   * @throws NoSlotError if too many calls are queued; WaitTimeoutError after the maximum wait; the abort reason of
   * `signal`.
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

  /** Assigns all slots that are possible now. Must be called when resources become free without a slot ending. */
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
      // The code that ends a slot may first have to reserve some of the released resources again.
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
