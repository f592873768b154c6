import type { DayLedger, DayVersion } from "../../../control/day-ledger.js";
import type { Clock } from "../../../model/clock.js";
import type { Day } from "../../../model/day.js";
import { type Connection, IN_BACKGROUND } from "../connection.js";
import { integerLiteral, projectLiteral } from "../literals.js";
import { RowReader } from "../row-binary.js";
import { type Place, sqlTemplate } from "../tables.js";

/** Time for which readers may still select a version after another one was published, in milliseconds. */
const GRACE_MS = 5 * 60_000;
/** Pause between two looks for old entries, in milliseconds. */
const PAUSE_MS = 10 * 60_000;
/** Maximum number of days that one statement removes entries of. */
const DAYS_A_STATEMENT = 1_000;

/** The tables of entries, whose rows have a version. */
const TABLES = ["entries", "originals"] as const;

/** Removes entries of versions that nobody reads any more: replaced ones, and those of runs that failed. */
export class OldEntries {
  readonly #connection: Connection;
  readonly #ledger: DayLedger;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #sql;
  #next: number;

  constructor(connection: Connection, ledger: DayLedger, clock: Clock, place: Place, graceMs = GRACE_MS) {
    this.#connection = connection;
    this.#ledger = ledger;
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#sql = {
      oldestVersions: sqlTemplate("oldest-versions.sql", place),
      remove: sqlTemplate("remove-entries.sql", place),
    };
    this.#next = clock.monotonic() + PAUSE_MS;
  }

  /** Removes old entries if that was not done lately. */
  async removeSometimes(): Promise<void> {
    if (this.#clock.monotonic() < this.#next) return;
    this.#next = this.#clock.monotonic() + PAUSE_MS;
    await this.remove();
  }

  /** Removes old entries; the engine does so in the background. */
  async remove(): Promise<void> {
    for (const table of TABLES) await this.#removeFrom(table);
  }

  async #removeFrom(table: string): Promise<void> {
    for (const [project, oldest] of await this.#oldestVersions(table)) {
      const current = await this.#ledger.versionsBefore(project, [...oldest.keys()], this.#graceMs);
      const replaced = current.filter(({ day, version }) => (oldest.get(day) ?? version) < version);
      for (let start = 0; start < replaced.length; start += DAYS_A_STATEMENT) {
        const some = replaced.slice(start, start + DAYS_A_STATEMENT);
        const ofDays = { PROJECT: projectLiteral(project), REPLACED: some.map(conditionOf).join(" OR ") };
        await this.#connection.run(this.#sql.remove({ TABLE: table, ...ofDays }), IN_BACKGROUND);
      }
    }
  }

  async #oldestVersions(table: string): Promise<ReadonlyMap<string, ReadonlyMap<Day, number>>> {
    const sql = this.#sql.oldestVersions({ TABLE: table });
    const rows = new RowReader(await this.#connection.read(sql));
    const projects = new Map<string, Map<Day, number>>();
    while (!rows.isAtEnd) {
      const [project, day, version] = [String(rows.count()), rows.int32(), rows.count()];
      const days = projects.get(project) ?? new Map<Day, number>();
      projects.set(project, days.set(day, version));
    }
    return projects;
  }
}

const conditionOf = ({ day, version }: DayVersion): string =>
  `(day = ${integerLiteral(day)} AND version < ${integerLiteral(version)})`;
