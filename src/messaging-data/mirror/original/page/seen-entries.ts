import { hash } from "node:crypto";
import { formatDay } from "../../../../model/day.js";
import type { MirroredEntry } from "../../mirrored-entry.js";
import type { PageProblems } from "./page-problems.js";

/** Finds entries that the pages of an app have several times. */
export class SeenEntries {
  /** Digests of originals, by day and label. */
  readonly #digests = new Map<string, string>();

  /** How many different entries there were. */
  get size(): number {
    return this.#digests.size;
  }

  /**
   * Returns the entries of the next page that were not on it or on an earlier page. Of entries of the same day and label
   * with different content the last one counts, and the problem is told.
   */
  add(entries: readonly MirroredEntry[], problems: PageProblems): readonly MirroredEntry[] {
    const fresh = new Map<string, MirroredEntry>();
    for (const entry of entries) {
      const key = `${entry.day}/${entry.label}`;
      const digest = hash("sha1", entry.original, "base64");
      const seen = this.#digests.get(key);
      if (seen === digest) continue;
      if (seen !== undefined) problems.tell(REPEATED, `${formatDay(entry.day)} ${entry.label}`.trim());
      this.#digests.set(key, digest);
      fresh.set(key, entry);
    }
    return [...fresh.values()];
  }
}

const REPEATED = "an entry is given twice, with different content";
