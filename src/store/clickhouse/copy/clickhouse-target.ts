import type { DayLedger, FormerDay } from "../../../control/day-ledger.js";
import { at } from "../../../model/collections.js";
import { type Day, LAST_DAY } from "../../../model/day.js";
import type { NameLimits, ProjectNumber } from "../../../model/names.js";
import type { EntryColumns, GroupColumns } from "../../delivery-data-store.js";
import type { EntryVersion, MirrorStore, StoredResponse } from "../../mirror-store.js";
import { datedNamesOf, type StateColumns } from "../../state-block.js";
import { orUnavailable } from "../engine-error.js";
import { entryRows, insertEntries } from "../entry-rows.js";
import { StoredResponses } from "../kept-responses.js";
import { KeptVersions } from "../kept-versions.js";
import { integerList, projectLiteral } from "../literals.js";
import { openTables, type TableOptions, type Tables } from "../open-tables.js";
import { EntryReader } from "../read/entry-reader.js";
import { RowReader } from "../row-binary.js";
import { sqlTemplate, tableIn } from "../tables.js";
import { BlockRows } from "../write/block-rows.js";
import { insertStates } from "../write/state-values.js";

/** Number of states or entries per insert. */
const ROWS_AN_INSERT = 100_000;
/** Maximum number of days to sum. No store has as many. */
const MAX_DAYS = 10_000_000;

/**
 * Maximum number of days to pass to {@link ClickHouseTarget.takeOver}. Each day is a partition, and the engine allows
 * 100 partitions per insert.
 */
export const MAX_DAYS_TOGETHER = 100;

/** Limits that accept all names from the source. */
const NO_LIMITS: NameLimits = { maxApps: Number.MAX_SAFE_INTEGER, maxLabels: Number.MAX_SAFE_INTEGER };

/** The data of some days in the source store. */
export interface DayContents {
  states(): AsyncIterable<StateColumns>;
  entries(): AsyncIterable<EntryColumns>;
}

export interface ClickHouseTargetOptions extends TableOptions {
  readonly ledger: DayLedger;
}

export class ClickHouseTarget {
  readonly #tables: Tables;
  readonly #ledger: DayLedger;
  readonly #reader: EntryReader;
  readonly #responses: StoredResponses;
  readonly #versions: KeptVersions;

  private constructor(tables: Tables, ledger: DayLedger) {
    this.#tables = tables;
    this.#ledger = ledger;
    this.#reader = new EntryReader(tables, ledger);
    this.#responses = new StoredResponses(tables);
    this.#versions = new KeptVersions(tables);
  }

  /** Opens the target. Creates its tables on first use. @throws StoreOpenError if the tables cannot be used. */
  static async open({ ledger, ...options }: ClickHouseTargetOptions): Promise<ClickHouseTarget> {
    return new ClickHouseTarget(await openTables(options), ledger);
  }

  /** Returns true if the tables contain no data. */
  async isEmpty(): Promise<boolean> {
    const sql = sqlTemplate("is-empty.sql", this.#tables.place)();
    return (await this.#read("looking for data", sql)).count() === 0;
  }

  /** Returns the days that {@link takeOver} has already copied. */
  async takenOver(project: ProjectNumber, days: readonly Day[]): Promise<ReadonlySet<Day>> {
    return new Set((await this.#ledger.versionsBefore(project, days, 0)).map(({ day }) => day));
  }

  /**
   * Stores the data of days, and records these days in the ledger in one step ({@link DayLedger}). May be repeated,
   * because storing a partial state twice has no effect.
   *
   * @param days distinct days of a project, at most {@link MAX_DAYS_TOGETHER}.
   * @throws StoreUnavailableError if the store cannot be reached. The days may have been recorded.
   */
  async takeOver(project: ProjectNumber, days: readonly FormerDay[], contents: DayContents): Promise<void> {
    const names = { apps: new Map<string, Day>(), labels: new Map<string, Day>() };
    const note = (lastDays: Map<string, Day>, name: string, day: Day): void => {
      if (name !== "") lastDays.set(name, Math.max(day, lastDays.get(name) ?? day));
    };
    const noteAll = ({ days, appIds, labels, length }: EntryColumns): void => {
      for (let row = 0; row < length; row++) {
        note(names.apps, at(appIds, row), at(days, row));
        note(names.labels, at(labels, row), at(days, row));
      }
    };
    const { retries } = this.#tables;
    for await (const states of batchesTogether(contents.states(), ROWS_AN_INSERT)) {
      const { apps, labels } = datedNamesOf(states);
      for (const [name, day] of apps) note(names.apps, name, day);
      for (const [name, day] of labels) note(names.labels, name, day);
      const rows = new BlockRows();
      await rows.add(project, states, new Set(days.map(({ day }) => day)));
      await retries.run(() => this.#insert(insertStates(this.#tables.place), rows.bytes));
    }
    const storeEntries = async (): Promise<void> => {
      const run = await this.#ledger.begin(project, []);
      for await (const entries of batchesTogether(contents.entries(), ROWS_AN_INSERT)) {
        entries.forEach(noteAll);
        const rows = entryRows(project, run.version, entries);
        await this.#insert(insertEntries(this.#tables.place), rows);
      }
      await this.#ledger.admitNames(project, names, NO_LIMITS);
      await this.#ledger.takeOver(run, days);
    };
    await retries.run(storeEntries);
  }

  /** Stores a response, like {@link MirrorStore.storeResponse}. */
  storeResponse(project: ProjectNumber, response: StoredResponse): Promise<void> {
    return orUnavailable("storing a response", () => this.#responses.keep(project, response));
  }

  /** Stores entry versions, like {@link MirrorStore.keepVersions}. */
  keepVersions(project: ProjectNumber, versions: readonly EntryVersion[]): Promise<void> {
    return orUnavailable("storing entry versions", () => this.#versions.keep(project, versions));
  }

  /** Counts messages by day. Omits days without messages. */
  async messages(project: ProjectNumber, days: readonly Day[]): Promise<ReadonlyMap<Day, number>> {
    // Each shard counts its own messages, in key order.
    const sql = `SELECT day, count() FROM ${tableIn(this.#tables.place, "message_states")} FINAL
      WHERE project = ${projectLiteral(project)} AND day IN (${integerList(days)}) GROUP BY day`;
    const rows = await this.#read("counting messages", sql);
    const messages = new Map<Day, number>();
    while (!rows.isAtEnd) messages.set(rows.int32(), rows.count());
    return messages;
  }

  /** Sums a project's entries by day. */
  sums(project: ProjectNumber): Promise<readonly GroupColumns[]> {
    const query = { project, until: LAST_DAY, groupBy: new Set(["day" as const]), limit: MAX_DAYS };
    return orUnavailable("summing up entries", () => this.#reader.sum(query));
  }

  close(): Promise<void> {
    return this.#tables.connection.close();
  }

  async #insert(sql: string, rows: Buffer): Promise<void> {
    const { connection, settings } = this.#tables;
    await orUnavailable("storing rows", () => connection.insert(sql, rows, settings.inserts));
  }

  async #read(what: string, sql: string): Promise<RowReader> {
    const { connection, settings } = this.#tables;
    return new RowReader(await orUnavailable(what, () => connection.read(sql, settings.queries)));
  }
}

/** Joins batches until they have at least `rows` rows. Only the last batch may be smaller. Skips empty batches. */
async function* batchesTogether<Batch extends { readonly length: number }>(
  batches: AsyncIterable<Batch>,
  rows: number,
): AsyncGenerator<readonly Batch[]> {
  let together: Batch[] = [];
  let length = 0;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    together.push(batch);
    length += batch.length;
    if (length < rows) continue;
    yield together;
    together = [];
    length = 0;
  }
  if (together.length > 0) yield together;
}
