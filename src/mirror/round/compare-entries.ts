import type { DeliveryDataStore } from "../../store/delivery-data-store.js";
import type { EntryVersion } from "../../store/mirror-store.js";
import { runsOf } from "../day-runs.js";
import { type MirroredRow, onDays, placeOfApp } from "./mirrored-row.js";
import { readPublished } from "./read-published.js";

/** The difference between the answers about an app and its published entries. */
export interface EntryChanges {
  /** Entries that are not published, or not like this. */
  readonly rows: readonly MirroredRow[];
  /** The published entries that some of them replace. */
  readonly replaced: readonly EntryVersion[];
  /** Number of entries that are published as they came. */
  readonly unchanged: number;
}

/**
 * Compares entries of an app with those that are published. An entry that replaces another is given a later time than
 * that one, even if the clock was turned back meanwhile.
 *
 * @param project project number, in decimal.
 * @param fetched the entries by their places ({@link placeOfApp}).
 * @throws as {@link readPublished}.
 */
export async function compareEntries(
  store: DeliveryDataStore,
  project: string,
  appId: string,
  fetched: ReadonlyMap<string, MirroredRow>,
  signal?: AbortSignal,
): Promise<EntryChanges> {
  const all = [...fetched.values()];
  const days = runsOf(all.map(({ day }) => day));
  const until = days.at(-1)?.[1];
  if (until === undefined) return { rows: [], replaced: [], unchanged: 0 };
  const known = new Set<MirroredRow>();
  const changed: MirroredRow[] = [];
  const replaced: EntryVersion[] = [];
  const selection = { project, appId, until, filter: onDays(days) };
  for await (const published of readPublished(store, selection, signal)) {
    for (let index = 0; index < published.length; index++) {
      const day = published.days[index] ?? Number.NaN;
      const label = published.labels[index] ?? "";
      const row = fetched.get(placeOfApp(day, label));
      if (row === undefined) continue;
      known.add(row);
      const original = published.originals[index] ?? "";
      const fetchedAt = published.fetchedAt[index] ?? Number.NaN;
      if (row.original === original) continue;
      replaced.push({ day, appId, label, fetchedAt, original });
      changed.push({ ...row, fetchedAt: Math.max(row.fetchedAt, fetchedAt + 1) });
    }
  }
  return {
    rows: [...changed, ...all.filter((row) => !known.has(row))],
    replaced,
    unchanged: known.size - replaced.length,
  };
}
