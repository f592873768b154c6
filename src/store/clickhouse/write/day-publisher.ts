import type { DayLedger, DayRun } from "../../../control/day-ledger.js";
import type { Fence } from "../../../control/lease-store.js";
import type { Day } from "../../../model/day.js";
import { daysTogether } from "../../days-together.js";
import type { DayEntries } from "../../delivery-data-store.js";
import type { Connection } from "../connection.js";
import { integerList, integerLiteral, projectLiteral } from "../literals.js";
import { originalRows } from "../mirror/mirror-rows.js";
import type { Replication } from "../replication.js";
import { RowReader } from "../row-binary.js";
import { type Place, sqlTemplate } from "../tables.js";
import type { DayPartitions } from "./day-partitions.js";
import { entryRows } from "./entry-rows.js";
import type { Retries } from "./retries.js";

/** Maximum number of states on days that are rolled up together, which takes some tenths of a second. */
const STATES_TOGETHER = 500_000;
/** Bytes of groups from which on the engine keeps them on disk, which bounds the memory for a day of any size. */
const BYTES_IN_MEMORY = 2_000_000_000;

/** Dependencies of a {@link DayPublisher}. */
export interface DayPublisherParts {
  readonly connection: Connection;
  readonly ledger: DayLedger;
  readonly retries: Retries;
  readonly place: Place;
  readonly settings: Replication;
  readonly states: DayPartitions;
}

/**
 * Computes or takes entries of days and publishes them. Each attempt stores its entries under a version of its own,
 * which nobody reads until the ledger publishes it: entries of a failed attempt do no harm.
 */
export class DayPublisher {
  readonly #connection: Connection;
  readonly #ledger: DayLedger;
  readonly #retries: Retries;
  readonly #settings: Replication;
  readonly #states: DayPartitions;
  readonly #sql;
  #rollUpMs: number | undefined;

  constructor({ connection, ledger, retries, place, settings, states }: DayPublisherParts) {
    this.#connection = connection;
    this.#ledger = ledger;
    this.#retries = retries;
    this.#settings = settings;
    this.#states = states;
    this.#sql = {
      rollup: sqlTemplate("rollup.sql", place),
      daysWithEntries: sqlTemplate("days-with-entries.sql", place),
      insertEntries: sqlTemplate("insert-entries.sql", place),
      insertOriginals: sqlTemplate("insert-originals.sql", place),
    };
  }

  /** Time of the last attempt of a rollup that succeeded, in milliseconds. */
  get rollUpMs(): number | undefined {
    return this.#rollUpMs;
  }

  /**
   * Rolls up as many days from the start of the list as are little work together, but at least one. Leaves days
   * whose events cannot change any more as they are: their states may be gone.
   *
   * @returns the number of days that were rolled up.
   * @throws the reason of `signal` if it aborts before the days are published. Nothing of the attempt is published then.
   */
  async rollUp(project: string, days: readonly Day[], fence?: Fence, signal?: AbortSignal): Promise<number> {
    const taken =
      days.length === 1
        ? days
        : daysTogether(days, await this.#states.sizesOf(project, days), STATES_TOGETHER);
    let began = 0;
    await this.#retries.run(async () => {
      signal?.throwIfAborted();
      began = performance.now();
      const run = await this.#ledger.begin(project, taken, fence);
      const open = [...run.days.keys()];
      if (open.length === 0) return;
      const words = wordsOf(run, open);
      const settings = {
        ...this.#settings.queries,
        ...this.#settings.inserts,
        max_bytes_before_external_group_by: BYTES_IN_MEMORY,
      };
      await this.#connection.runOnce(this.#sql.rollup(words), settings, signal);
      const withEntries = new Set(await this.#daysWithEntries(run, open));
      signal?.throwIfAborted();
      const publications = open.map((day) => ({ day, isEmpty: !withEntries.has(day) }));
      await this.#ledger.publish(run, publications);
    });
    this.#rollUpMs = performance.now() - began;
    return taken.length;
  }

  /** Replaces the entries of a day. */
  async publish(project: string, day: Day, batches: readonly DayEntries[], fence?: Fence): Promise<void> {
    const ofDay = (batch: DayEntries) => ({ ...batch, days: new Array<Day>(batch.length).fill(day) });
    const isEmpty = batches.every(({ length }) => length === 0);
    await this.#retries.run(async () => {
      const run = await this.#ledger.begin(project, [], fence);
      const entries = batches.map(ofDay);
      await this.#insert(this.#sql.insertOriginals(), originalRows(project, run.version, entries));
      await this.#insert(this.#sql.insertEntries(), entryRows(project, run.version, entries));
      await this.#ledger.publish(run, [{ day, isEmpty }]);
    });
  }

  /** Removes the entries of days from what readers see. */
  async withdraw(project: string, days: readonly Day[]): Promise<void> {
    if (days.length === 0) return;
    const run = await this.#ledger.begin(project, []);
    await this.#ledger.publish(
      run,
      days.map((day) => ({ day, isEmpty: true })),
    );
  }

  async #insert(statement: string, rows: Buffer): Promise<void> {
    if (rows.length > 0) await this.#connection.insert(statement, [rows], this.#settings.inserts);
  }

  async #daysWithEntries(run: DayRun, days: readonly Day[]): Promise<readonly Day[]> {
    const rows = await this.#read(this.#sql.daysWithEntries(wordsOf(run, days)));
    const found: Day[] = [];
    while (!rows.isAtEnd) found.push(rows.int32());
    return found;
  }

  async #read(sql: string): Promise<RowReader> {
    return new RowReader(await this.#connection.read(sql, this.#settings.queries));
  }
}

const wordsOf = ({ project, version }: DayRun, days: readonly Day[]) => ({
  PROJECT: projectLiteral(project),
  VERSION: integerLiteral(version),
  DAYS: integerList(days),
});
