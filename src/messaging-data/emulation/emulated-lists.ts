import { inSteps } from "../../limits/pacing.js";
import { FIRST_DAY } from "../../model/day.js";
import type {
  DeliveryDataStore,
  EntryColumns,
  EntryFilter,
  EntryQuery,
} from "../../store/delivery-data-store.js";
import { rowsOf } from "../delivery-data/entry-rows.js";
import type { EntriesUpTo, ListView } from "../delivery-data/list-view.js";
import { readOn } from "../delivery-data/read-on.js";
import type { EmulatedDays } from "./emulated-days.js";
import { changesFigures, emulatedEntry } from "./emulated-entry.js";
import type { Emulation } from "./emulation.js";

/** Entries made in one step, which takes about a millisecond. */
const ENTRIES_A_STEP = 50;
/** Lists change at full minutes, so answers can be cached until then. */
const MINUTE = 60_000;

/** Emulated lists of the delivery data of a store. */
export class EmulatedLists {
  readonly #store: Pick<DeliveryDataStore, "readEntries">;
  readonly #emulation: Emulation;
  readonly #days: EmulatedDays;

  constructor(store: Pick<DeliveryDataStore, "readEntries">, emulation: Emulation, days: EmulatedDays) {
    this.#store = store;
    this.#emulation = emulation;
    this.#days = days;
  }

  /**
   * Returns what is listed at a time.
   *
   * @param now in milliseconds since the Unix epoch.
   */
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
    return readOn(this.#store, this.#bounded(query, now), { change, least: query.limit }, signal);
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

  /** Makes the entries of a batch that are listed. */
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

  /** Entries of the same app and day lie next to each other. */
  *#rowsListed({ length, days, appIds }: EntryColumns, now: number): Generator<void, readonly number[]> {
    const rows: number[] = [];
    let isListed = false;
    for (let row = 0; row < length; row++) {
      if (row % ENTRIES_A_STEP === 0) yield;
      const [day = 0, appId = ""] = [days[row], appIds[row]];
      if (row === 0 || day !== days[row - 1] || appId !== appIds[row - 1]) {
        isListed = this.#days.has(appId, day, now);
      }
      if (isListed) rows.push(row);
    }
    return rows;
  }
}
