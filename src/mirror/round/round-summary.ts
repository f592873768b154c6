import type { AppWalk } from "./walk-app.js";

/** Counts of a round. */
export interface RoundSummary {
  /** Apps to read. */
  readonly apps: number;
  /** Apps of which not all pages were read, or none. */
  readonly failed: number;
  readonly pages: number;
  /** Entries that were not there before, that replaced others, and that were there already. */
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

/** Counts of entries that a walk brought. */
export const countsOf = ({ changes: { rows, replaced, unchanged } }: AppWalk) => ({
  added: rows.length - replaced.length,
  changed: replaced.length,
  unchanged,
});

/** Counts what the walks of a round found. */
export class RoundCounts {
  readonly #counts = { pages: 0, added: 0, changed: 0, unchanged: 0 };
  #read = 0;

  add(walk: AppWalk): void {
    const { added, changed, unchanged } = countsOf(walk);
    this.#counts.pages += walk.pages;
    this.#counts.added += added;
    this.#counts.changed += changed;
    this.#counts.unchanged += unchanged;
    if (walk.fault === undefined) this.#read++;
  }

  /** @param apps number of apps to read. */
  summary(apps: number): RoundSummary {
    return { apps, failed: apps - this.#read, ...this.#counts };
  }
}
