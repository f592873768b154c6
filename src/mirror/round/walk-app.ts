import type { Day } from "../../model/day.js";
import type { Store } from "../../store/store.js";
import { digestOf, type Original, type OriginalBody, OriginalError } from "../original/original.js";
import { compareEntries, type EntryChanges } from "./compare-entries.js";
import { type MirroredRow, placeOfApp } from "./mirrored-row.js";

/** Parts of walks through the pages of apps. */
export interface WalkParts {
  readonly original: Original;
  readonly store: Store;
  /** Project number, in decimal. */
  readonly project: string;
  /** Returns the digest of the only page of an app whose entries are published, if the page need not be read again. */
  readonly knownDigest: (appId: string) => string | undefined;
  /** Returns the first day whose entries are kept; `undefined` to keep those of all days. */
  readonly firstDay: () => Day | undefined;
}

/** The result of a walk through the pages of an app. */
export interface AppWalk {
  readonly appId: string;
  readonly pages: number;
  /** The days of its entries. */
  readonly days: readonly Day[];
  readonly changes: EntryChanges;
  /** Deviations of its pages from the form of the contract. */
  readonly problems: readonly string[];
  /** Digest of the only page, if there is one alone; missing after a problem. */
  readonly digest?: string;
  /** Missing if all pages were read. */
  readonly fault?: OriginalError;
}

/**
 * Reads all pages of an app, keeps each as soon as it is received in full, and finds what is new in them. Entries of the pages before a fault count; those of
 * days that the retention has ended do not, which would come back with each round.
 *
 * @throws StoreUnavailableError if the store cannot be reached; the reason of `signal` once it has aborted.
 */
export async function walkApp(
  { original, store, project, knownDigest, firstDay }: WalkParts,
  appId: string,
  signal: AbortSignal,
): Promise<AppWalk> {
  const known = knownDigest(appId);
  const first = firstDay() ?? Number.NEGATIVE_INFINITY;
  const rows = new Map<string, MirroredRow>();
  const problems = new Set<string>();
  let pages = 0;
  let digest: string | undefined;
  let fault: OriginalError | undefined;
  try {
    const keep = (body: OriginalBody) => store.keepAnswer(project, { appId, ...body });
    for await (const page of original.pages(appId, signal, keep, known)) {
      const { fetchedAt, body } = page;
      digest = pages++ === 0 ? (page.isKnown ? known : digestOf(body)) : undefined;
      for (const problem of page.problems) problems.add(problem);
      for (const entry of page.entries) {
        if (entry.day >= first) rows.set(placeOfApp(entry.day, entry.label), { ...entry, fetchedAt });
      }
    }
  } catch (error) {
    if (!(error instanceof OriginalError)) throw error;
    fault = error;
  }
  return {
    appId,
    pages,
    days: [...new Set([...rows.values()].map(({ day }) => day))],
    changes: await compareEntries(store, project, appId, rows, signal),
    problems: [...problems],
    ...(fault !== undefined && { fault }),
    ...(fault === undefined && problems.size === 0 && digest !== undefined && { digest }),
  };
}
