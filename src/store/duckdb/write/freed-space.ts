import type { DuckDBConnection } from "@duckdb/node-api";

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
