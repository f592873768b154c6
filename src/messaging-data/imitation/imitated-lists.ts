import { inSteps } from "../../limits/in-steps.js";
import { FIRST_DAY } from "../../model/day.js";
import type {
  DeliveryDataStore,
  EntryColumns,
  EntryPosition,
  EntryQuery,
} from "../../store/delivery-data-store.js";
import type { EntryFilter } from "../../store/entry-filter.js";
import type { ListView } from "../delivery-data/list-view.js";
import type { ImitatedDays } from "./imitated-days.js";
import { changesFigures, imitatedEntry } from "./imitated-entry.js";
import type { Imitation } from "./imitation.js";

/** Entries made in one step, which takes about a millisecond. */
const ENTRIES_A_STEP = 50;
/** Fewest entries that are read at once after some were left out: days without an entry to show cost few reads. */
const FEWEST_READ = 1_000;
/** Lists change at full minutes, so answers can be cached until then. */
const MINUTE = 60_000;

/** Imitated lists of the delivery data of a store. */
export class ImitatedLists {
  readonly #store: Pick<DeliveryDataStore, "readEntries">;
  readonly #imitation: Imitation;
  readonly #days: ImitatedDays;

  constructor(store: Pick<DeliveryDataStore, "readEntries">, imitation: Imitation, days: ImitatedDays) {
    this.#store = store;
    this.#imitation = imitation;
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

  /** Reads until there are as many entries as the query asks for, or no more. */
  async #read(query: EntryQuery, now: number, signal?: AbortSignal): Promise<readonly EntryColumns[]> {
    const given: EntryColumns[] = [];
    let next: EntryQuery = this.#bounded(query, now);
    for (let missing = query.limit; missing > 0; ) {
      const read = await this.#store.readEntries(next, signal);
      let count = 0;
      for (const batch of read) {
        const imitated = await inSteps(this.#imitated(batch, now), signal);
        missing -= imitated.length;
        count += batch.length;
        if (imitated.length > 0) given.push(imitated);
      }
      const last = read.findLast(({ length }) => length > 0);
      if (last === undefined || count < next.limit) break;
      next = { ...next, after: lastOf(last, query), limit: Math.max(missing, FEWEST_READ) };
    }
    return given;
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
  *#imitated(batch: EntryColumns, now: number): Generator<void, EntryColumns> {
    const rows = yield* this.#rowsListed(batch, now);
    const listed = rows.length === batch.length ? batch : rowsOf(batch, rows);
    if (!changesFigures(this.#imitation)) return listed;
    const originals: string[] = [];
    for (let row = 0; row < listed.length; row++) {
      if (row % ENTRIES_A_STEP === 0) yield;
      originals.push(imitatedEntry(listed, row, this.#imitation));
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

/** The position of the last entry of a batch. */
function lastOf({ length, days, appIds, labels }: EntryColumns, { appId }: EntryQuery): EntryPosition {
  const [day = 0, label = "", app = ""] = [days[length - 1], labels[length - 1], appIds[length - 1]];
  return { day, label, ...(appId === undefined && { appId: app }) };
}

function rowsOf({ days, appIds, labels, counts }: EntryColumns, rows: readonly number[]): EntryColumns {
  return {
    length: rows.length,
    days: rows.map((row) => days[row] ?? 0),
    appIds: rows.map((row) => appIds[row] ?? ""),
    labels: rows.map((row) => labels[row] ?? ""),
    counts: counts.map((column) => Float64Array.from(rows, (row) => column[row] ?? 0)),
  };
}
