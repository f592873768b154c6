import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import { daysTogether } from "../../days-together.js";
import { inTransaction } from "../connection.js";
import { daysCondition, settledDays, sizesOfDays } from "./days.js";

/** Maximum number of states that one step removes; rollups have their turn after each. */
const STATES_A_STEP = 1_000_000;

/** Part of the removal of days. */
export interface ExpiryStep {
  /** Number of days, from the start of the list, that the step worked on. */
  readonly days: number;
  /** Number of states that it removed. */
  readonly states: number;
  /** True if these days have more to remove. */
  readonly goesOn: boolean;
}

/**
 * Removes the states of sealed days, and the entries of those up to `entriesUntil` with their versions, in one transaction: of as
 * many days from the start of the list as are little work together, and of a large day only part of the
 * states.
 *
 * @param days at least one, without duplicates.
 */
export function removeSome(
  connection: DuckDBConnection,
  project: string,
  days: readonly Day[],
  entriesUntil: Day,
  statesAStep = STATES_A_STEP,
): Promise<ExpiryStep> {
  return inTransaction(connection, async () => {
    const sizes = await sizesOfDays(connection, "message_states", daysCondition(project, days));
    const together = daysTogether(days, sizes, statesAStep);
    const settled = await settledDays(connection, together, daysCondition(project, together));
    const going = together.filter((day) => settled.has(day));
    const states = going.reduce((sum, day) => sum + (sizes.get(day) ?? 0), 0);
    if (states > 0) await removeStates(connection, project, going, statesAStep);
    const goesOn = states > statesAStep;
    const withoutEntries = goesOn ? [] : going.filter((day) => day <= entriesUntil);
    if (withoutEntries.length > 0) {
      const { sql, parameters } = daysCondition(project, withoutEntries);
      await connection.run(`DELETE FROM entries WHERE ${sql}`, parameters);
      await connection.run(`DELETE FROM entry_versions WHERE ${sql}`, parameters);
    }
    return { days: together.length, states: Math.min(states, statesAStep), goesOn };
  });
}

async function removeStates(
  connection: DuckDBConnection,
  project: string,
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

/** Part of the states of messages from which on the space of removed ones is given back. */
const WORTHWHILE = 1 / 20;

/**
 * Gives the space of removed rows back to the file. The engine does so by itself when it writes its log into
 * the main file while nothing is being read. A store that is read all the time would grow on and on.
 */
export class FreedSpace {
  /** Number of states removed since the space was given back. */
  #removed = 0;

  /**
   * Counts removed states, and gives their space back once it is worthwhile.
   *
   * @param quietly runs work while no other connection reads or writes data; returns false if it cannot.
   */
  async removed(
    connection: DuckDBConnection,
    states: number,
    quietly: (work: () => Promise<void>) => Promise<boolean>,
  ): Promise<void> {
    this.#removed += states;
    if (this.#removed === 0) return;
    const result = await connection.runAndReadAll("SELECT count(*) FROM message_states");
    if (this.#removed < Number(result.getRows()[0]?.[0]) * WORTHWHILE) return;
    if (await quietly(async () => void (await connection.run("CHECKPOINT")))) this.#removed = 0;
  }
}
