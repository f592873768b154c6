/** Maximum amounts that callers may hold at the same time. */
export interface BudgetLimits {
  /** All callers together. */
  readonly total: number;
  /** One caller. By default as much as would remain free, so that the next caller always gets something. */
  readonly each?: number;
}

/** Releases a held amount. Calling it again changes nothing. */
export type Release = () => void;

/**
 * A shared resource that callers hold and release, such as slots or bytes. The limits per caller and in total prevent
 * one caller from holding all of it.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  /** Held amounts. Callers that hold nothing have no entry. */
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Amount held by all callers. */
  get total(): number {
    return this.#total;
  }

  /** Amount held by a caller. */
  heldBy(caller: string): number {
    return this.#held.get(caller) ?? 0;
  }

  /** Returns true if a caller may hold this additional amount now. */
  hasRoom(caller: string, amount = 1): boolean {
    const { total, each = total - this.#total } = this.#limits;
    return this.heldBy(caller) + amount <= each && this.#total + amount <= total;
  }

  /**
   * Reserves an amount for a caller.
   *
   * @returns a function that releases the amount; `undefined`, with nothing reserved, if it would exceed a limit.
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
