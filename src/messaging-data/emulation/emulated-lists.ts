import { inSteps } from "../../limits/pacing.js";
import { at } from "../../model/collections.js";
import { type Day, FIRST_DAY, lastListedDay, listedSince } from "../../model/day.js";
import type {
  DeliveryDataStore,
  EntryColumns,
  EntryFilter,
  EntryQuery,
} from "../../store/delivery-data-store.js";
import { rowsOf } from "../delivery-data/entry-columns.js";
import { type EntriesUpTo, type ListView, readUntilEnough } from "../delivery-data/read-entries.js";
import { Draws } from "../draws.js";
import { changesFigures, emulatedEntry } from "./emulated-entry.js";
import type { Emulation } from "./emulation.js";

/**
 * Determines on which days an app's data is listed: when a day appears, when it expires, and which days never appear.
 */
export class EmulatedDays {
  readonly #emulation: Pick<Emulation, "seed" | "window" | "delay" | "missingDays">;
  readonly #settleDelay: number;

  /** @param settleDelay time from when a day ends until it would be listed without emulation, in milliseconds. */
  constructor(emulation: Pick<Emulation, "seed" | "window" | "delay" | "missingDays">, settleDelay: number) {
    this.#emulation = emulation;
    this.#settleDelay = settleDelay;
  }

  /** Returns the first and last day that any app can list now. @param now milliseconds since the Unix epoch. */
  bounds(now: number): { readonly since: Day; readonly until: Day } {
    const { window, delay } = this.#emulation;
    const shown = this.#settleDelay + delay.max;
    return {
      since: window === undefined ? FIRST_DAY : Math.max(FIRST_DAY, lastListedDay(now, shown + window) + 1),
      until: lastListedDay(now, this.#settleDelay + delay.min),
    };
  }

  /**
   * Returns true if an app lists a day, which must be within {@link bounds}.
   *
   * @param now milliseconds since the Unix epoch.
   */
  has(appId: string, day: Day, now: number): boolean {
    const { seed, delay, missingDays } = this.#emulation;
    const draws = new Draws(seed, "day", appId, day);
    const late = delay.min + Math.floor(draws.fraction() * (delay.max - delay.min));
    return now >= listedSince(day, this.#settleDelay) + late && draws.fraction() >= missingDays;
  }
}

/** Number of entries to process in one event loop tick. They need about a millisecond. */
const ENTRIES_A_STEP = 50;
/** Lists only change at full minutes, so that responses can be cached until then. */
const MINUTE = 60_000;

/** Lists delivery data like FCM. */
export class EmulatedLists {
  readonly #store: Pick<DeliveryDataStore, "readEntries">;
  readonly #emulation: Emulation;
  readonly #days: EmulatedDays;

  constructor(store: Pick<DeliveryDataStore, "readEntries">, emulation: Emulation, days: EmulatedDays) {
    this.#store = store;
    this.#emulation = emulation;
    this.#days = days;
  }

  /** Returns the view at a time. @param now milliseconds since the Unix epoch. */
  at(now: number): ListView {
    const minute = Math.floor(now / MINUTE);
    return {
      key: minute,
      readEntries: (query, signal) => this.#read(query, minute * MINUTE, signal),
    };
  }

  #read(query: EntryQuery, now: number, signal?: AbortSignal): Promise<EntriesUpTo> {
    const change = async (read: readonly EntryColumns[]): Promise<readonly EntryColumns[]> => {
      const listed: EntryColumns[] = [];
      for (const batch of read) listed.push(await inSteps(this.#emulated(batch, now), signal));
      return listed;
    };
    return readUntilEnough(this.#store, this.#bounded(query, now), { change, enough: query.limit }, signal);
  }

  #bounded(query: EntryQuery, now: number): EntryQuery {
    const { since, until } = this.#days.bounds(now);
    const bounded = { ...query, until: Math.min(query.until, until) };
    if (since === FIRST_DAY) return bounded;
    const begin: EntryFilter = { kind: "day", comparison: ">=", day: since };
    const { filter } = query;
    return {
      ...bounded,
      filter: filter === undefined ? begin : { kind: "and", operands: [begin, filter] },
    };
  }

  /** Returns the listed entries of a batch, with emulated figures. */
  *#emulated(batch: EntryColumns, now: number): Generator<void, EntryColumns> {
    const rows = yield* this.#rowsListed(batch, now);
    const listed = rows.length === batch.length ? batch : rowsOf(batch, rows);
    if (!changesFigures(this.#emulation)) return listed;
    const originals: string[] = [];
    for (let row = 0; row < listed.length; row++) {
      if (row % ENTRIES_A_STEP === 0) yield;
      originals.push(emulatedEntry(listed, row, this.#emulation));
    }
    return { ...listed, originals };
  }

  /**
   * Returns the rows to list. All entries of an app and day are adjacent in the list, so that each pair is checked only
   * once.
   */
  *#rowsListed({ length, days, appIds }: EntryColumns, now: number): Generator<void, readonly number[]> {
    const rows: number[] = [];
    let isListed = false;
    for (let row = 0; row < length; row++) {
      if (row % ENTRIES_A_STEP === 0) yield;
      const [day, appId] = [at(days, row), at(appIds, row)];
      if (row === 0 || day !== days[row - 1] || appId !== appIds[row - 1]) {
        isListed = this.#days.has(appId, day, now);
      }
      if (isListed) rows.push(row);
    }
    return rows;
  }
}
