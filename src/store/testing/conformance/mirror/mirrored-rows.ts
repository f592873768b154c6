import { byBytes } from "../../../../model/collections.js";
import type { Day } from "../../../../model/day.js";
import { COUNTS, type DayEntries, type EntryColumns } from "../../../delivery-data-store.js";

export const DAY: Day = Date.UTC(2026, 2, 5) / 86_400_000;
/** A time for tests, in milliseconds since 1970, with a digit in each position. */
export const TIME = 1_772_798_765_432;

/** An entry as upstream sent it. */
export interface MirroredRow {
  readonly day: Day;
  readonly appId: string;
  readonly label: string;
  readonly original: string;
  readonly fetchedAt: number;
  /** The value of all its counts. 0 if its figures contain no outcomes. */
  readonly count: number;
}

export function mirroredRow(over: Partial<MirroredRow> = {}): MirroredRow {
  const { day = DAY, appId = "app", label = "", fetchedAt = TIME, count = 7 } = over;
  const { original = JSON.stringify({ appId, label, fetchedAt, count }) } = over;
  return { day, appId, label, original, fetchedAt, count };
}

/** Converts rows of one day to columns for a publication. */
export const mirroredEntries = (rows: readonly MirroredRow[]): DayEntries => ({
  length: rows.length,
  appIds: rows.map(({ appId }) => appId),
  labels: rows.map(({ label }) => label),
  counts: COUNTS.map(() => Float64Array.from(rows, ({ count }) => count)),
  originals: rows.map(({ original }) => original),
  fetchedAt: rows.map(({ fetchedAt }) => fetchedAt),
});

/** Converts entries, including the received JSON of each, to rows. */
export const mirroredRows = (batches: readonly EntryColumns[]): MirroredRow[] =>
  batches.flatMap(({ length, days, appIds, labels, counts, originals, fetchedAt }) =>
    Array.from({ length }, (_, row) => ({
      day: days[row] ?? Number.NaN,
      appId: appIds[row] ?? "?",
      label: labels[row] ?? "?",
      original: originals?.[row] ?? "?",
      fetchedAt: fetchedAt?.[row] ?? Number.NaN,
      count: counts.at(-1)?.[row] ?? Number.NaN,
    })),
  );

/** Compares positions in list order. */
export const inListOrder = (
  a: { readonly day: Day; readonly appId: string; readonly label: string },
  b: { readonly day: Day; readonly appId: string; readonly label: string },
): number => b.day - a.day || byBytes(a.appId, b.appId) || byBytes(a.label, b.label);
