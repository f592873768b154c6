import type { DeliveryDataStore } from "../../../store/delivery-data-store.js";
import type { EntryVersion } from "../../../store/mirror-store.js";
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
 * @param fetched the entries, each place once.
 * @throws as {@link readPublished}.
 */
export async function compareEntries(
  store: DeliveryDataStore,
  project: string,
  appId: string,
  fetched: Iterable<MirroredRow>,
  signal?: AbortSignal,
): Promise<EntryChanges> {
  const left = new Map<string, MirroredRow>();
  for (const row of fetched) left.set(placeOfApp(row.day, row.label), row);
  const days = runsOf([...left.values()].map(({ day }) => day));
  const until = days.at(-1)?.[1];
  const rows: MirroredRow[] = [];
  const replaced: EntryVersion[] = [];
  let unchanged = 0;
  if (until === undefined) return { rows, replaced, unchanged };
  const selection = { project, appId, until, filter: onDays(days) };
  for await (const published of readPublished(store, selection, signal)) {
    for (let index = 0; index < published.length; index++) {
      const day = published.days[index] ?? Number.NaN;
      const label = published.labels[index] ?? "";
      const row = left.get(placeOfApp(day, label));
      if (row === undefined) continue;
      left.delete(placeOfApp(day, label));
      const original = published.originals[index] ?? "";
      const fetchedAt = published.fetchedAt[index] ?? Number.NaN;
      if (row.original === original) {
        unchanged++;
        continue;
      }
      replaced.push({ day, appId, label, fetchedAt, original });
      rows.push({ ...row, fetchedAt: Math.max(row.fetchedAt, fetchedAt + 1) });
    }
  }
  return { rows: [...rows, ...left.values()], replaced, unchanged };
}
