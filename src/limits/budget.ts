/** Maximum amounts that callers may use at the same time. */
export interface BudgetLimits {
  /** Limit for all callers together. */
  readonly total: number;
  /**
   * Limit for one caller. By default, a caller may use as much as it leaves free, so that the next caller always gets
   * something.
   */
  readonly each?: number;
}

/** Releases an amount. Calling it again has no effect. */
export type Release = () => void;

/**
 * A shared resource that callers reserve and release, such as slots or bytes. Limits per caller and in total prevent
 * one caller from using all of it.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  /** Reserved amounts by caller. Callers without a reservation have no entry. */
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Amount that all callers have reserved. */
  get total(): number {
    return this.#total;
  }

  /** Returns the amount that a caller has reserved. */
  heldBy(caller: string): number {
    return this.#held.get(caller) ?? 0;
  }

  /** Returns true if a caller may reserve an additional amount now. */
  hasRoom(caller: string, amount = 1): boolean {
    const { total, each = total - this.#total } = this.#limits;
    return this.heldBy(caller) + amount <= each && this.#total + amount <= total;
  }

  /**
   * Reserves an amount for a caller.
   *
   * @returns a function that releases the amount. `undefined` if the amount would exceed a limit; nothing is reserved
   * then.
   */
  take(caller: string, amount = 1): Release | undefined {
    if (!this.hasRoom(caller, amount)) return undefined;
    this.#set(caller, this.heldBy(caller) + amount, amount);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#set(caller, this.heldBy(caller) - amount, -amount);
    };
  }

  #set(caller: string, held: number, change: number): void {
    this.#total += change;
    if (held === 0) this.#held.delete(caller);
    else this.#held.set(caller, held);
  }
}
