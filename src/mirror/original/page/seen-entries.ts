import { formatDay } from "../../../model/day.js";
import type { MirroredEntry } from "../../mirrored-entry.js";
import type { PageProblems } from "./page-problems.js";

const REPEATED = "an entry is given twice, with different content";

/** Finds entries that the pages of an app have several times. */
export class SeenEntries {
  /** Originals, by day and label. Callers keep these texts too, until the walk ends. */
  readonly #originals = new Map<string, string>();

  /** Number of different entries. */
  get size(): number {
    return this.#originals.size;
  }

  /**
   * Returns the entries of the next page that were not on it or on an earlier page. Of entries of the same day and label
   * with different content the last one counts, and the problem is told.
   */
  add(entries: readonly MirroredEntry[], problems: PageProblems): readonly MirroredEntry[] {
    const fresh = new Map<string, MirroredEntry>();
    for (const entry of entries) {
      const { day, label, original } = entry;
      const key = `${day}/${label}`;
      const seen = this.#originals.get(key);
      if (seen === original) continue;
      if (seen !== undefined) problems.tell(REPEATED, `${formatDay(day)} ${label}`.trim());
      this.#originals.set(key, original);
      fresh.set(key, entry);
    }
    return [...fresh.values()];
  }
}
