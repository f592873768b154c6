import type { DayLedger, DayRun } from "../../../control/day-ledger.js";
import type { Fence } from "../../../control/lease-store.js";
import type { Day } from "../../../model/day.js";
import { daysTogether } from "../../../model/due-days.js";
import type { ProjectNumber } from "../../../model/names.js";
import type { SqlTemplate } from "../../../sql/template.js";
import type { PublishedDay } from "../../delivery-data-store.js";
import type { Connection } from "../connection.js";
import { entryRows, insertEntries } from "../entry-rows.js";
import { integerList, integerLiteral, projectLiteral } from "../literals.js";
import type { Replication } from "../replication.js";
import { RowReader } from "../row-binary.js";
import { type Place, sqlTemplate, tableIn } from "../tables.js";
import type { DayPartitions } from "./day-partitions.js";
import type { Retries } from "./retries.js";

/** Maximum number of states in days that are rolled up together. Such a rollup lasts some tenths of a second. */
const STATES_TOGETHER = 500_000;
/** Size in bytes at which the engine stores groups on disk. It limits memory use for days of any size. */
const BYTES_IN_MEMORY = 2_000_000_000;

export interface DayPublisherParts {
  readonly connection: Connection;
  readonly ledger: DayLedger;
  readonly retries: Retries;
  readonly place: Place;
  readonly settings: Replication;
  readonly states: DayPartitions;
}

/** Publishes days ({@link DayLedger}). Their entries are computed, or passed by the caller. */
export class DayPublisher {
  readonly #connection: Connection;
  readonly #ledger: DayLedger;
  readonly #retries: Retries;
  readonly #settings: Replication;
  readonly #states: DayPartitions;
  readonly #place: Place;
  readonly #rollup: SqlTemplate;
  #rollUpMs: number | undefined;

  constructor({ connection, ledger, retries, place, settings, states }: DayPublisherParts) {
    this.#connection = connection;
    this.#ledger = ledger;
    this.#retries = retries;
    this.#settings = settings;
    this.#states = states;
    this.#place = place;
    this.#rollup = sqlTemplate("write/rollup.sql", place);
  }

  /** Duration of the last successful attempt to roll up days, in milliseconds. */
  get rollUpMs(): number | undefined {
    return this.#rollUpMs;
  }

  /**
   * Rolls up days from the start of `days`, as many as are cheap to roll up together, but at least one. Skips days that
   * no event can change any more, because their states may have been removed.
   *
   * @returns the number of processed days.
   * @throws the abort reason of `signal` if it aborts before publication. No day is published then.
   */
  async rollUp(
    project: ProjectNumber,
    days: readonly Day[],
    fence?: Fence,
    signal?: AbortSignal,
  ): Promise<number> {
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
      await this.#connection.runOnce(this.#rollup(words), settings, signal);
      const withEntries = new Set(await this.#daysWithEntries(run, open));
      signal?.throwIfAborted();
      const publications = open.map((day) => ({ day, isEmpty: !withEntries.has(day) }));
      await this.#ledger.publish(run, publications);
    });
    this.#rollUpMs = performance.now() - began;
    return taken.length;
  }

  /** Replaces all entries of days. */
  async publish(project: ProjectNumber, days: readonly PublishedDay[], fence?: Fence): Promise<void> {
    const publications = days.map(({ day, entries }) => ({
      day,
      isEmpty: entries.every(({ length }) => length === 0),
    }));
    const batches = days.flatMap(({ day, entries }) =>
      entries.map((batch) => ({ ...batch, days: new Array<Day>(batch.length).fill(day) })),
    );
    await this.#retries.run(async () => {
      const run = await this.#ledger.begin(project, [], fence);
      if (publications.some(({ isEmpty }) => !isEmpty)) {
        const rows = entryRows(project, run.version, batches);
        await this.#connection.insert(insertEntries(this.#place), rows, this.#settings.inserts);
      }
      await this.#ledger.publish(run, publications);
    });
  }

  /** Publishes days without entries, so that readers no longer see these days. */
  async withdraw(project: ProjectNumber, days: readonly Day[]): Promise<void> {
    if (days.length === 0) return;
    const run = await this.#ledger.begin(project, []);
    await this.#ledger.publish(
      run,
      days.map((day) => ({ day, isEmpty: true })),
    );
  }

  async #daysWithEntries(run: DayRun, days: readonly Day[]): Promise<readonly Day[]> {
    const { PROJECT, VERSION, DAYS } = wordsOf(run, days);
    const sql = `SELECT DISTINCT day FROM ${tableIn(this.#place, "entries")}
      WHERE project = ${PROJECT} AND version = ${VERSION} AND day IN (${DAYS})`;
    const rows = new RowReader(await this.#connection.read(sql, this.#settings.queries));
    const found: Day[] = [];
    while (!rows.isAtEnd) found.push(rows.int32());
    return found;
  }
}

const wordsOf = ({ project, version }: DayRun, days: readonly Day[]) => ({
  PROJECT: projectLiteral(project),
  VERSION: integerLiteral(version),
  DAYS: integerList(days),
});
