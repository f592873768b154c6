import type { Release } from "./budget.js";
import { limitWait, NoSlotError } from "./limit-wait.js";

/** Maximum number of queued calls. */
export interface WaitingLimits {
  /** All callers together. */
  readonly total: number;
  /** One caller. */
  readonly each: number;
}

interface Waiting {
  readonly begin: (release: Release) => void;
}

/** Slots for a scarce resource. The queue for them is fair between callers, however many slots each requests. */
export class FairSlots {
  readonly #tryBegin: (caller: string) => Release | undefined;
  readonly #limits: WaitingLimits;
  /** Queued calls, by caller. The caller with the latest slot is last. */
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;

  /** @param tryBegin reserves the resources for a slot of the caller; returns `undefined` if there are too few now. */
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
   * @throws NoSlotError if too many calls are queued, WaitTimeoutError after the maximum wait; the reason of `signal`
   *   if it aborts first.
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

  /** Begins every slot that is possible now. Call it when resources are freed outside of a slot. */
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
      // The code that ends a slot may first reserve some of the released resources again.
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
