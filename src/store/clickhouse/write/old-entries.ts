import type { DayLedger, DayVersion } from "../../../control/day-ledger.js";
import type { Clock } from "../../../model/clock.js";
import type { Day } from "../../../model/day.js";
import { type Connection, IN_BACKGROUND } from "../connection.js";
import { integerLiteral, projectLiteral } from "../literals.js";
import { RowReader } from "../row-binary.js";
import { type Place, tableIn } from "../tables.js";
import { alterTable } from "./alter-table.js";

/** Time for which readers may use a version after it was replaced, in milliseconds. */
const GRACE_MS = 5 * 60_000;
/** Pause between two removals, in milliseconds. */
const PAUSE_MS = 10 * 60_000;
/** Maximum number of days per statement. */
const DAYS_A_STATEMENT = 1_000;

/** Removes entries that no reader uses: replaced versions, and versions from failed runs. */
export class OldEntries {
  readonly #connection: Connection;
  readonly #ledger: DayLedger;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #place: Place;
  #next: number;

  constructor(connection: Connection, ledger: DayLedger, clock: Clock, place: Place, graceMs = GRACE_MS) {
    this.#connection = connection;
    this.#ledger = ledger;
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#place = place;
    this.#next = clock.monotonic() + PAUSE_MS;
  }

  /** Removes old entries if the last removal was some time ago. */
  async removeSometimes(): Promise<void> {
    if (this.#clock.monotonic() < this.#next) return;
    this.#next = this.#clock.monotonic() + PAUSE_MS;
    await this.remove();
  }

  /** Starts to remove old entries. The engine removes them in the background. */
  async remove(): Promise<void> {
    for (const [project, oldest] of await this.#oldestVersions()) {
      const current = await this.#ledger.versionsBefore(project, [...oldest.keys()], this.#graceMs);
      const replaced = current.filter(({ day, version }) => (oldest.get(day) ?? version) < version);
      for (let start = 0; start < replaced.length; start += DAYS_A_STATEMENT) {
        const some = replaced
          .slice(start, start + DAYS_A_STATEMENT)
          .map(conditionOf)
          .join(" OR ");
        const change = `DELETE WHERE project = ${projectLiteral(project)} AND (${some})`;
        await alterTable(this.#connection, this.#place, "entries", [change], IN_BACKGROUND);
      }
    }
  }

  /** Returns the lowest stored version by project and day. */
  async #oldestVersions(): Promise<ReadonlyMap<string, ReadonlyMap<Day, number>>> {
    const entries = tableIn(this.#place, "entries");
    const sql = `SELECT project, day, min(version) FROM ${entries} GROUP BY project, day`;
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
