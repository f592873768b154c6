import { type Day, LAST_DAY } from "../../model/day.js";
import { COUNTS } from "../../store/delivery-data-store.js";
import type { Store } from "../../store/store.js";
import type { MirroredEntry } from "../upstream/upstream.js";

/** Creates an entry as upstream would send it. Different values of `accepted` result in different content. */
export const entryOf = (appId: string, day: Day, label: string, accepted = 100): MirroredEntry => ({
  appId,
  day,
  label,
  original: JSON.stringify({ appId, day, label, accepted }),
  counts: COUNTS.map((_, index) => (index === 0 ? accepted : 0)),
});

/** Creates an entry for each day, as upstream would send it. */
export const entriesOf = (appId: string, days: readonly Day[], accepted = 100): MirroredEntry[] =>
  days.map((day) => entryOf(appId, day, "", accepted));

/** Reads the upstream JSON of all published entries, in list order. */
export async function publishedIn(store: Store, project: string): Promise<string[]> {
  const batches = await store.readEntries({ project, until: LAST_DAY, limit: 100_000, originals: true });
  return batches.flatMap(({ originals = [] }) => originals);
}

/** Returns the items of all batches. */
export async function allOf<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const items: T[] = [];
  for await (const batch of batches) items.push(...batch);
  return items;
}
