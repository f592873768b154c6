import { setTimeout as sleep } from "node:timers/promises";
import type { DayLedger } from "../../../control/day-ledger.js";
import type { ProjectNumber } from "../../../model/names.js";
import type { SqlTemplate } from "../../../sql/template.js";
import { IN_BACKGROUND } from "../connection.js";
import { projectLiteral } from "../literals.js";
import type { Tables } from "../open-tables.js";
import { REPEATABLE } from "../replication.js";
import { RowReader } from "../row-binary.js";
import { sqlTemplate, tableIn } from "../tables.js";
import { alterTable } from "./alter-table.js";
import { DayPartitions } from "./day-partitions.js";

/** Maximum number of partitions that a step drops. */
const DAYS_A_STEP = 20;
/** Time in milliseconds after which entries are usually deleted. A step also waits this long for other deletions. */
const SOON_MS = 1_000;
const DELETION_MS = 5_000;
/** Pause between two checks, in milliseconds. */
const PAUSE_MS = 50;

/** Erases deleted projects. Every step may be repeated. */
export class Erasure {
  readonly #tables: Tables;
  readonly #ledger: DayLedger;
  readonly #partitions: readonly DayPartitions[];
  readonly #deletions: SqlTemplate;
  readonly #lastEntries: SqlTemplate;

  constructor(tables: Tables, ledger: DayLedger) {
    this.#tables = tables;
    this.#ledger = ledger;
    this.#partitions = (["message_states", "entry_versions", "responses", "response_bodies"] as const).map(
      (table) => new DayPartitions(table, tables),
    );
    this.#deletions = sqlTemplate("write/deletions-in-progress.sql", tables.place);
    this.#lastEntries = sqlTemplate("write/last-entries.sql", tables.place);
  }

  /**
   * Erases some data of a project. Erases the project's days in the ledger first, so that no rollup can begin.
   *
   * @returns true if nothing was left.
   */
  async step(project: ProjectNumber): Promise<boolean> {
    if (!(await this.#ledger.erase(project))) return false;
    for (const partitions of this.#partitions) {
      if (await partitions.dropSome(project, DAYS_A_STEP)) return false;
    }
    return this.#eraseEntries(project);
  }

  /**
   * Deletes all entries of a project. The engine rewrites parts with such entries in the background. ClickHouse 18.16
   * does not rewrite the last part of a partition until another insert with a quorum follows. The method therefore
   * inserts entries that belong to no project. The next erasure deletes them.
   */
  async #eraseEntries(project: ProjectNumber): Promise<boolean> {
    if (!(await this.#hasEntries(project))) return true;
    const { connection, place, retries, settings } = this.#tables;
    if (!(await this.#isDeleting(project))) {
      const change = `DELETE WHERE project IN (0, ${projectLiteral(project)})`;
      await alterTable(connection, place, "entries", [change], IN_BACKGROUND);
    }
    if (await this.#areDeletedWithin(SOON_MS, project)) return false;
    if (settings.shards !== undefined) {
      const lastEntries = this.#lastEntries({ PROJECT: projectLiteral(project) });
      const inserts = { ...settings.inserts, ...REPEATABLE };
      await retries.run(() => connection.runOnce(lastEntries, inserts));
    }
    await this.#areDeletedWithin(DELETION_MS, project);
    return false;
  }

  /** Waits until a project has no entries. Returns false if it still has some after `timeoutMs`. */
  async #areDeletedWithin(timeoutMs: number, project: ProjectNumber): Promise<boolean> {
    const { clock } = this.#tables;
    const deadline = clock.monotonic() + timeoutMs;
    while (await this.#hasEntries(project)) {
      if (clock.monotonic() > deadline) return false;
      await sleep(PAUSE_MS);
    }
    return true;
  }

  async #hasEntries(project: ProjectNumber): Promise<boolean> {
    const { connection, place, settings } = this.#tables;
    const sql = `SELECT day FROM ${tableIn(place, "entries")} WHERE project = ${projectLiteral(project)} LIMIT 1`;
    return (await connection.read(sql, settings.queries)).length > 0;
  }

  async #isDeleting(project: ProjectNumber): Promise<boolean> {
    const sql = this.#deletions({ PROJECT: projectLiteral(project) });
    return new RowReader(await this.#tables.connection.read(sql)).count() > 0;
  }
}
