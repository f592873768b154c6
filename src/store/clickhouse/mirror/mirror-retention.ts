import type { Clock } from "../../../model/clock.js";
import type { Day } from "../../../model/day.js";
import { integerList, integerLiteral, projectLiteral } from "../literals.js";
import type { Tables } from "../open-tables.js";
import { RowReader } from "../row-binary.js";
import { type TableName, tableIn } from "../tables.js";
import { DayPartitions } from "../write/day-partitions.js";

/** Removes what a mirror keeps beside entries that are removed. */
export class MirrorRetention {
  readonly #tables: Tables;
  readonly #clock: Clock;

  constructor(tables: Tables, clock: Clock) {
    this.#tables = tables;
    this.#clock = clock;
  }

  /**
   * Removes the versions of entries of some days, and the answers that came before the last of these: they told nothing
   * about newer days.
   */
  async remove(project: string, days: readonly Day[]): Promise<void> {
    if (days.length === 0) return;
    const beforeLast = `day < ${integerLiteral(Math.max(...days))}`;
    await this.#drop("entry_versions", project, `day IN (${integerList(days)})`);
    await this.#drop("answers", project, beforeLast);
    await this.#drop("answer_bodies", project, beforeLast);
  }

  async #drop(table: TableName, project: string, condition: string): Promise<void> {
    const { connection, place, settings } = this.#tables;
    const sql = `SELECT DISTINCT day FROM ${tableIn(place, table)}
      WHERE project = ${projectLiteral(project)} AND ${condition}`;
    const rows = new RowReader(await connection.read(sql, settings.queries));
    const days: Day[] = [];
    while (!rows.isAtEnd) days.push(rows.int32());
    await new DayPartitions(table, connection, this.#clock, place).drop(project, days);
  }
}
