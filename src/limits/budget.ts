/** How much of something callers may hold at the same time. */
export interface BudgetLimits {
  /** All callers together. */
  readonly total: number;
  /** One caller. If it is left out, as much as is free besides: then something is left for whoever comes next. */
  readonly each?: number;
}

/** Gives back what was taken. Calling it again changes nothing. */
export type Release = () => void;

/**
 * Something that callers share and hold for a while, such as slots or bytes: it is bounded in total and for each caller,
 * so that one caller cannot take all of it.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  /** Only callers that hold something. */
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** What all callers hold together. */
  get total(): number {
    return this.#total;
  }

  /** What one caller holds. */
  heldBy(caller: string): number {
    return this.#held.get(caller) ?? 0;
  }

  /** Whether a caller may take an amount now. */
  hasRoom(caller: string, amount = 1): boolean {
    const { total, each = total - this.#total } = this.#limits;
    return this.heldBy(caller) + amount <= each && this.#total + amount <= total;
  }

  /**
   * Takes an amount for a caller.
   *
   * @returns `undefined`, with nothing taken, if that is more than the caller or all together may hold.
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
