import { expectHeld, type HeldLease } from "../../jobs/lease-holder.js";
import { numbersOf, rowsOf } from "../../messaging-data/delivery-data/entry-columns.js";
import { readAll } from "../../messaging-data/delivery-data/read-entries.js";
import { at, groupBy } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import { FencedError } from "../../model/store-error.js";
import {
  COUNTS,
  type DayEntries,
  type DeliveryDataStore,
  type EntryColumns,
  type EntryFilter,
  type EntryQuery,
  MAX_PUBLISHED_DAYS,
  type PublishedDay,
} from "../../store/delivery-data-store.js";
import type { EntryVersion } from "../../store/mirror-store.js";
import { type DayRuns, runsOf } from "../day-runs.js";
import { type MirroredEntry, placeOfApp } from "../upstream/upstream.js";

/** Difference between an app's received entries and its published entries. */
export interface EntryChanges {
  /** Received entries that are new, or differ from the published version. */
  readonly rows: readonly MirroredRow[];
  /** Published entries that received entries replace. */
  readonly replaced: readonly EntryVersion[];
  /** Number of received entries that equal the published version. */
  readonly unchanged: number;
}

/**
 * Compares an app's received entries with its published entries. A replacement always has a later time than the
 * replaced entry, even if the clock was set back.
 *
 * @param fetched received entries, by {@link placeOfApp}.
 * @throws the same errors as {@link readPublished}.
 */
export async function compareEntries(
  store: DeliveryDataStore,
  project: ProjectNumber,
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
    for (const version of versionsIn(published)) {
      const row = fetched.get(placeOfApp(version.day, version.label));
      if (row === undefined) continue;
      known.add(row);
      if (row.original === version.original) continue;
      replaced.push(version);
      changed.push({ ...row, fetchedAt: Math.max(row.fetchedAt, version.fetchedAt + 1) });
    }
  }
  return {
    rows: [...changed, ...all.filter((row) => !known.has(row))],
    replaced,
    unchanged: known.size - replaced.length,
  };
}

/** A received entry, with its time of receipt. */
export interface MirroredRow extends MirroredEntry {
  /** Time of receipt, in milliseconds since 1970. */
  readonly fetchedAt: number;
}

/**
 * Returns an entry's key, which is unique within a day. A control character separates its parts, because app ids
 * contain none.
 */
const placeInDay = (appId: string, label: string): string => `${appId}\0${label}`;

/** Returns the condition that selects the entries of some days. */
const onDays = (days: DayRuns): EntryFilter => ({
  kind: "or",
  operands: days.map(([first, last]) => ({
    kind: "and",
    operands: [
      { kind: "day", comparison: ">=", day: first },
      { kind: "day", comparison: "<=", day: last },
    ],
  })),
});

const PAGE_ENTRIES = 10_000;

/** Published entries in columns, including the JSON from upstream. */
type PublishedColumns = EntryColumns & Required<Pick<EntryColumns, "originals" | "fetchedAt">>;

/**
 * Reads all selected entries of a mirrored project, in batches.
 *
 * @throws StoreUnavailableError if the store cannot be reached; Error if an entry was computed from events; the abort
 * reason of `signal`.
 */
async function* readPublished(
  store: DeliveryDataStore,
  selection: Omit<EntryQuery, "after" | "limit" | "originals">,
  signal?: AbortSignal,
): AsyncGenerator<PublishedColumns> {
  const query = { ...selection, limit: PAGE_ENTRIES, originals: true };
  for await (const batch of readAll(store, query, signal)) yield withOriginals(batch);
}

function withOriginals(batch: EntryColumns): PublishedColumns {
  const { originals, fetchedAt } = batch;
  if (originals === undefined || fetchedAt === undefined)
    throw new Error(
      "the delivery data of this project is computed from events: use another project for the mirror",
    );
  return { ...batch, originals, fetchedAt };
}

/** Returns all rows of a batch. */
const versionsIn = ({ days, appIds, labels, originals, fetchedAt }: PublishedColumns): EntryVersion[] =>
  originals.map((original, row) => {
    const [day, appId, label, at] = [days[row], appIds[row], labels[row], fetchedAt[row]];
    if (day === undefined || appId === undefined || label === undefined || at === undefined)
      throw new Error("columns of published entries differ in length");
    return { day, appId, label, fetchedAt: at, original };
  });

export interface PublicationOptions {
  /** Lease that permits the changes. The store checks its fencing number. */
  readonly lease: HeldLease;
  /** True if the project had no entries before the round, so that the rows must not replace any. */
  readonly isFirst?: boolean | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Number of pending entries that causes a publication. Publishing several small days together costs less than one by
 * one. A publication may exceed this number by one day.
 */
const MAX_ENTRIES_TOGETHER = 100_000;

/**
 * Publishes new rows, together with all other entries of their days. Readers see all changes of a day in one step.
 *
 * @param rows new rows, at most one for each app, day and label.
 * @throws the same errors as {@link readPublished}; FencedError if another process may have published entries since. A
 * part of the rows may have been published.
 */
export async function publishRows(
  store: DeliveryDataStore,
  project: ProjectNumber,
  rows: readonly MirroredRow[],
  { lease, isFirst = false, signal }: PublicationOptions,
): Promise<void> {
  let days: PublishedDay[] = [];
  let entries = 0;
  const publish = async (): Promise<void> => {
    if (days.length === 0) return;
    signal?.throwIfAborted();
    expectHeld(lease);
    await store.publish(project, days, lease.fence);
    days = [];
    entries = 0;
  };
  for (const [day, ofDay] of groupBy(rows, (row) => row.day)) {
    const all = [...(await readOthers(store, project, day, ofDay, isFirst, signal)), columnsOf(ofDay)];
    days.push({ day, entries: all });
    entries += all.reduce((sum, { length }) => sum + length, 0);
    if (entries >= MAX_ENTRIES_TOGETHER || days.length === MAX_PUBLISHED_DAYS) await publish();
  }
  await publish();
}

/** Reads a day's published entries that `rows` do not replace. */
async function readOthers(
  store: DeliveryDataStore,
  project: ProjectNumber,
  day: Day,
  rows: readonly MirroredRow[],
  isFirst: boolean,
  signal?: AbortSignal,
): Promise<readonly DayEntries[]> {
  let replaced: ReadonlySet<string> | undefined;
  const others: DayEntries[] = [];
  const selection = { project, until: day, filter: onDays(runsOf([day])) };
  for await (const batch of readPublished(store, selection, signal)) {
    replaced ??= new Set(rows.map(({ appId, label }) => placeInDay(appId, label)));
    const kept = without(replaced, batch);
    // In a first round, the rows were not compared, so the replaced versions would be lost.
    if (isFirst && kept.length < batch.length)
      throw new FencedError("another process has published entries since this round began");
    others.push(kept);
  }
  return others;
}

function columnsOf(rows: readonly MirroredRow[]): DayEntries {
  const counts = COUNTS.map(() => new Float64Array(rows.length));
  // Row by row, because all rows together do not fit into the processor's caches.
  for (const [row, { counts: ofRow }] of rows.entries()) {
    if (ofRow === undefined) continue;
    counts.forEach((column, index) => {
      column[row] = at(ofRow, index);
    });
  }
  return {
    length: rows.length,
    appIds: rows.map(({ appId }) => appId),
    labels: rows.map(({ label }) => label),
    counts,
    originals: rows.map(({ original }) => original),
    fetchedAt: numbersOf(rows, ({ fetchedAt }) => fetchedAt),
  };
}

/** Returns a day's entries, without the entries that have these keys. */
function without(places: ReadonlySet<string>, batch: PublishedColumns): DayEntries {
  const kept: number[] = [];
  for (const [row, { appId, label }] of versionsIn(batch).entries()) {
    if (!places.has(placeInDay(appId, label))) kept.push(row);
  }
  return kept.length === batch.length ? batch : rowsOf(batch, kept);
}
