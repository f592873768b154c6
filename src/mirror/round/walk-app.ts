import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import type { Store } from "../../store/store.js";
import { type Upstream, type UpstreamBody, UpstreamError } from "../upstream/upstream.js";
import { compareEntries, type EntryChanges, type MirroredRow } from "./published-entries.js";

export interface WalkParts {
  readonly upstream: Upstream;
  readonly store: Store;
  readonly project: ProjectNumber;
  /**
   * Digest of each app's page, if the app has a single page and its entries are published. A page with this digest is
   * not parsed again.
   */
  readonly known: ReadonlyMap<string, { readonly digest?: string }>;
  /** True if the project had no entries before the round. All received entries are new then. */
  readonly isFirst?: boolean | undefined;
  /** First day that retention keeps. If `undefined`, all days are kept. */
  readonly firstDay: Day | undefined;
}

/** Result of reading an app's pages. */
export interface AppWalk {
  readonly appId: string;
  readonly pages: number;
  /** Days on which the app has entries. */
  readonly days: readonly Day[];
  readonly changes: EntryChanges;
  /** Violations of the contract in the app's pages. */
  readonly problems: readonly string[];
  /** Digest of the page, if the app has a single page without violations. */
  readonly digest?: string | undefined;
  /** Error that ended the walk. `undefined` if all pages were read. */
  readonly error?: UpstreamError | undefined;
}

/**
 * Reads all pages of an app, and finds new and changed entries. Stores each body as soon as it is complete. Pages that
 * were read before an error count. Entries of days before `firstDay` are ignored, because retention would remove them
 * after every round.
 *
 * @throws StoreUnavailableError if the store cannot be reached; the abort reason of `signal`.
 */
export async function walkApp(
  { upstream, store, project, known, isFirst = false, firstDay = Number.NEGATIVE_INFINITY }: WalkParts,
  appId: string,
  signal: AbortSignal,
): Promise<AppWalk> {
  const rows = new Map<string, MirroredRow>();
  const digests: string[] = [];
  const problems = new Set<string>();
  let failure: UpstreamError | undefined;
  try {
    const keep = (body: UpstreamBody) => store.storeResponse(project, { appId, ...body }, isFirst);
    for await (const page of upstream.pages(appId, signal, keep, known.get(appId)?.digest)) {
      digests.push(page.digest);
      for (const problem of page.problems) problems.add(problem);
      for (const [place, { day, label, original, counts }] of page.entries) {
        if (day < firstDay) continue;
        // Naming the properties is several times faster than spreading them.
        rows.set(place, { appId, day, label, original, counts, fetchedAt: page.fetchedAt });
      }
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    failure = error;
  }
  const isOnePage = failure === undefined && problems.size === 0 && digests.length === 1;
  return {
    appId,
    pages: digests.length,
    days: [...new Set([...rows.values()].map(({ day }) => day))],
    changes: isFirst
      ? { rows: [...rows.values()], replaced: [], unchanged: 0 }
      : await compareEntries(store, project, appId, rows, signal),
    problems: [...problems],
    digest: isOnePage ? digests[0] : undefined,
    error: failure,
  };
}

export interface RoundSummary {
  /** Number of apps that the round should read. */
  readonly apps: number;
  /** Number of apps with pages that could not be read. */
  readonly failed: number;
  readonly pages: number;
  /** Numbers of new entries, replaced entries and unchanged entries. */
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

export const countsOf = ({ changes: { rows, replaced, unchanged } }: AppWalk) => ({
  added: rows.length - replaced.length,
  changed: replaced.length,
  unchanged,
});

/** Sums the numbers of entries in walks. */
export class RoundCounts {
  readonly #counts = { pages: 0, added: 0, changed: 0, unchanged: 0 };
  #read = 0;

  add(walk: AppWalk): void {
    const { added, changed, unchanged } = countsOf(walk);
    this.#counts.pages += walk.pages;
    this.#counts.added += added;
    this.#counts.changed += changed;
    this.#counts.unchanged += unchanged;
    if (walk.error === undefined) this.#read++;
  }

  /** Returns a round's numbers. @param apps number of apps that the round should read. */
  summary(apps: number): RoundSummary {
    return { apps, failed: apps - this.#read, ...this.#counts };
  }
}
