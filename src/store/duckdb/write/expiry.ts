import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import { daysTogether } from "../../../model/due-days.js";
import type { ProjectNumber } from "../../../model/names.js";
import { inTransaction } from "../connection.js";
import { daysCondition, settledDays, statesOfDays } from "./days.js";

/** Maximum number of states that one step removes. Rollups can run between two steps. */
const STATES_A_STEP = 250_000;

export interface ExpiryStep {
  /** Number of days, from the start of `days`, that the step included. */
  readonly days: number;
  readonly states: number;
  /** True if more data of the expired days remains to be removed. */
  readonly hasMore: boolean;
}

/**
 * Removes states of sealed days, and entries up to `entriesUntil` with their versions, in one transaction. Processes
 * days from the start of `days`, as many as are cheap to process together. A large day needs several steps.
 *
 * @param days distinct days, at least one.
 */
export function removeSome(
  connection: DuckDBConnection,
  project: ProjectNumber,
  days: readonly Day[],
  entriesUntil: Day,
  statesAStep = STATES_A_STEP,
): Promise<ExpiryStep> {
  return inTransaction(connection, async () => {
    const sizes = await statesOfDays(connection, daysCondition(project, days));
    const together = daysTogether(days, sizes, statesAStep);
    const settled = await settledDays(connection, together, daysCondition(project, together));
    const settledTogether = together.filter((day) => settled.has(day));
    const states = settledTogether.reduce((sum, day) => sum + (sizes.get(day) ?? 0), 0);
    if (states > 0) await removeStates(connection, project, settledTogether, statesAStep);
    const hasMore = states > statesAStep;
    const withoutEntries = hasMore ? [] : settledTogether.filter((day) => day <= entriesUntil);
    if (!hasMore && settledTogether.length > 0) {
      const { sql, parameters } = daysCondition(project, settledTogether);
      await connection.run(`UPDATE counted_days SET messages = 0 WHERE ${sql} AND messages <> 0`, parameters);
    }
    if (withoutEntries.length > 0) {
      const { sql, parameters } = daysCondition(project, withoutEntries);
      await connection.run(`DELETE FROM entries WHERE ${sql}`, parameters);
      await connection.run(`DELETE FROM entry_versions WHERE ${sql}`, parameters);
    }
    return { days: together.length, states: Math.min(states, statesAStep), hasMore };
  });
}

async function removeStates(
  connection: DuckDBConnection,
  project: ProjectNumber,
  days: readonly Day[],
  limit: number,
): Promise<void> {
  const { sql, parameters } = daysCondition(project, days);
  await connection.run(
    `DELETE FROM message_states
     WHERE ${sql} AND rowid IN (SELECT rowid FROM message_states WHERE ${sql} LIMIT $limit)`,
    { ...parameters, limit },
  );
}

/** Fraction of message states that must have been removed before their space is reclaimed. */
const WORTHWHILE = 1 / 20;

/** Calls `work` while no other connection reads or writes data. Returns false if this is not possible. */
type Quietly = (work: () => Promise<void>) => Promise<boolean>;

/**
 * Reclaims the space of removed rows in the file. The engine does this only when it writes its log into the main file
 * while no query is running. With continuous reads, the file would otherwise grow without limit.
 */
export class FreedSpace {
  /** Number of rows removed since the last reclamation. */
  #removed = 0;

  /** Counts rows that were removed. */
  note(rows: number): void {
    this.#removed += rows;
  }

  /** Counts states that were removed. Reclaims their space when there are enough of them. */
  async removed(connection: DuckDBConnection, states: number, quietly: Quietly): Promise<void> {
    this.note(states);
    if (this.#removed === 0) return;
    const result = await connection.runAndReadAll("SELECT count(*) FROM message_states");
    if (this.#removed < Number(result.getRows()[0]?.[0]) * WORTHWHILE) return;
    await this.reclaim(connection, quietly);
  }

  /** Reclaims the space of removed rows, if there are any. */
  async reclaim(connection: DuckDBConnection, quietly: Quietly): Promise<void> {
    if (this.#removed === 0) return;
    if (await quietly(async () => void (await connection.run("CHECKPOINT")))) this.#removed = 0;
  }
}
