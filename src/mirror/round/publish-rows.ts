import type { Fence } from "../../control/lease-store.js";
import { numbersOf, rowsOf } from "../../messaging-data/delivery-data/entry-rows.js";
import type { Day } from "../../model/day.js";
import { COUNTS, type DayEntries, type DeliveryDataStore } from "../../store/delivery-data-store.js";
import { runsOf } from "../day-runs.js";
import { type MirroredRow, onDays, placeInDay } from "./mirrored-row.js";
import { type PublishedColumns, readPublished } from "./read-published.js";

/**
 * Publishes rows of a day together with all other entries of the day.
 *
 * @param project project number, in decimal.
 * @param rows at most one for each app and label.
 * @throws as {@link readPublished}; FencedError if another process may have published since.
 */
export async function publishRows(
  store: DeliveryDataStore,
  project: string,
  day: Day,
  rows: readonly MirroredRow[],
  fence: Fence,
  signal?: AbortSignal,
): Promise<void> {
  const replaced = new Set(rows.map(({ appId, label }) => placeInDay(appId, label)));
  const entries: DayEntries[] = [];
  const selection = { project, until: day, filter: onDays(runsOf([day])) };
  for await (const batch of readPublished(store, selection, signal)) entries.push(without(replaced, batch));
  await store.publish(project, day, [...entries, columnsOf(rows)], fence);
}

function columnsOf(rows: readonly MirroredRow[]): DayEntries {
  return {
    length: rows.length,
    appIds: rows.map(({ appId }) => appId),
    labels: rows.map(({ label }) => label),
    counts: COUNTS.map((_, count) => numbersOf(rows, ({ counts }) => counts?.[count] ?? 0)),
    originals: rows.map(({ original }) => original),
    fetchedAt: numbersOf(rows, ({ fetchedAt }) => fetchedAt),
  };
}

/** Leaves some places out of entries of one day. */
function without(places: ReadonlySet<string>, batch: PublishedColumns): DayEntries {
  const { length, appIds, labels } = batch;
  const kept: number[] = [];
  for (let row = 0; row < length; row++) {
    if (!places.has(placeInDay(appIds[row] ?? "", labels[row] ?? ""))) kept.push(row);
  }
  return kept.length === length ? batch : rowsOf(batch, kept);
}
