import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../model/clock.js";
import type { Day } from "../../../model/day.js";
import type { ProjectNumber } from "../../../model/names.js";
import { StoreUnavailableError } from "../../../model/store-error.js";
import type { SqlTemplate } from "../../../sql/template.js";
import { type Connection, IN_BACKGROUND, type Settings } from "../connection.js";
import { integerLiteral, projectLiteral, textList, textLiteral } from "../literals.js";
import type { Tables } from "../open-tables.js";
import { RowReader } from "../row-binary.js";
import { type Place, sqlTemplate, type TableName, tableIn } from "../tables.js";
import { alterTable } from "./alter-table.js";

/** Maximum time for available replicas to drop partitions, in milliseconds. */
const DROP_MS = 10_000;
/** Time after which partitions are usually dropped, in milliseconds. */
const SOON_MS = 1_000;
/** Pause between two checks, in milliseconds. */
const PAUSE_MS = 20;

/** A table with one partition for each project and day. */
export class DayPartitions {
  readonly #table: TableName;
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #place: Place;
  readonly #settings: Settings;
  readonly #sizes: SqlTemplate;

  constructor(table: TableName, { connection, clock, place, settings }: Tables) {
    this.#table = table;
    this.#settings = settings.queries;
    this.#connection = connection;
    this.#clock = clock;
    this.#place = place;
    this.#sizes = sqlTemplate("write/sizes-of-days.sql", place);
  }

  /**
   * Returns the number of rows by day, computed from the sizes of parts on one replica of each shard. Omits days
   * without rows.
   */
  async sizesOf(project: ProjectNumber, days: readonly Day[]): Promise<ReadonlyMap<Day, number>> {
    const dayOf = new Map(days.map((day) => [partitionOf(project, day), day]));
    const words = { TABLE_NAME: textLiteral(this.#table), PARTITIONS: textList([...dayOf.keys()]) };
    const rows = new RowReader(await this.#connection.read(this.#sizes(words)));
    const sizes = new Map<Day, number>();
    while (!rows.isAtEnd) {
      const [partition, size] = [rows.text(), rows.count()];
      const day = dayOf.get(partition);
      if (day !== undefined) sizes.set(day, size);
    }
    return sizes;
  }

  /**
   * Removes the rows of days. Resolves when one replica of each shard has removed them. The others follow, even if they
   * are unavailable now.
   *
   * @throws StoreUnavailableError after a timeout; an engine error if all replicas of a shard are unavailable.
   */
  async drop(project: ProjectNumber, days: readonly Day[]): Promise<void> {
    if (!(await this.#areDroppedWithin(DROP_MS, project, days)))
      throw new StoreUnavailableError(`days are not removed from ${this.#table} yet`);
  }

  /**
   * Removes the rows of days. Returns false if the days still have rows after `timeoutMs`, either old rows or rows from
   * new inserts.
   */
  async #areDroppedWithin(timeoutMs: number, project: ProjectNumber, days: readonly Day[]): Promise<boolean> {
    if (days.length === 0) return true;
    // This fails if a shard is unavailable. Otherwise, each attempt would add one more statement to its queue.
    await this.sizesOf(project, days);
    const changes = days.map((day) => `DROP PARTITION ${partitionOf(project, day)}`);
    await alterTable(this.#connection, this.#place, this.#table, changes, IN_BACKGROUND);
    const deadline = this.#clock.monotonic() + timeoutMs;
    while ((await this.sizesOf(project, days)).size > 0) {
      if (this.#clock.monotonic() > deadline) return false;
      await sleep(PAUSE_MS);
    }
    return true;
  }

  /** Removes all rows of the days that have a row with this condition. @throws the same errors as {@link drop}. */
  async dropWhere(project: ProjectNumber, condition: string): Promise<void> {
    await this.drop(project, await this.#daysWhere(project, condition));
  }

  /**
   * Removes rows of some days in a project. Rows of inserts that are in progress may remain.
   *
   * @returns false if the project had no rows.
   */
  async dropSome(project: ProjectNumber, limit: number): Promise<boolean> {
    const days = await this.#daysWhere(project, "1", limit);
    await this.#areDroppedWithin(SOON_MS, project, days);
    return days.length > 0;
  }

  async #daysWhere(project: ProjectNumber, condition: string, limit?: number): Promise<readonly Day[]> {
    const sql = `SELECT DISTINCT day FROM ${tableIn(this.#place, this.#table)}
      WHERE project = ${projectLiteral(project)} AND ${condition}
      ${limit === undefined ? "" : `LIMIT ${integerLiteral(limit)}`}`;
    const rows = new RowReader(await this.#connection.read(sql, this.#settings));
    const days: Day[] = [];
    while (!rows.isAtEnd) days.push(rows.int32());
    return days;
  }
}

/** Returns a partition's name, as the engine shows it. */
const partitionOf = (project: ProjectNumber, day: Day): string =>
  `(${projectLiteral(project)},${integerLiteral(day)})`;
