import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import { daysTogether } from "../../days-together.js";
import { listValue } from "../engine.js";
import { interruptible } from "../read/interruptible.js";
import { inTransaction } from "../transaction.js";
import { daysCondition } from "./days-condition.js";
import { replaceEntries } from "./replace-entries.js";
import { settledDays } from "./settled-days.js";
import { sizesOfDays } from "./sizes-of-days.js";
import { mergeStates, prepareMerges } from "./state-merge.js";

/** Default maximum of partial states that one pass merges; the memory for them fits the engine's default. */
const STATES_A_PASS = 1_500_000;
/** Maximum number of partial states of days that are rolled up together, which takes some tenths of a second. */
const STATES_TOGETHER = 250_000;

/**
 * Computes and publishes the delivery data of days on its own connection: small days together, large ones
 * alone.
 */
export class DayRollup {
  readonly #connection: DuckDBConnection;
  readonly #statesAPass: number;

  private constructor(connection: DuckDBConnection, statesAPass: number) {
    this.#connection = connection;
    this.#statesAPass = statesAPass;
  }

  /**
   * @param statesAPass maximum number of partial states grouped at a time, which bounds the memory for a day of any
   * size.
   */
  static async open(connection: DuckDBConnection, statesAPass = STATES_A_PASS): Promise<DayRollup> {
    await prepareMerges(connection);
    return new DayRollup(connection, statesAPass);
  }

  /**
   * Merges what has arrived of days, replaces their entries and clears their stale marks in one transaction:
   * readers see all the days either before or after it. Takes as many days from the start of the list as are
   * little work together, but at least one. Leaves the entries of sealed days without new events as they
   * are: their states may be gone.
   *
   * @param signal stops the work when it aborts before the transaction is committed.
   * @returns the number of days that were rolled up.
   */
  run(project: string, days: readonly Day[], signal?: AbortSignal): Promise<number> {
    const connection = this.#connection;
    const work = (): Promise<number> => this.#mergeAndPublish(project, days);
    return inTransaction(connection, () => interruptible(connection, signal, work));
  }

  async #mergeAndPublish(project: string, days: readonly Day[]): Promise<number> {
    const connection = this.#connection;
    const sizes = await sizesOfDays(connection, "partial_states", daysCondition(project, days));
    const taken = daysTogether(days, sizes, Math.min(STATES_TOGETHER, this.#statesAPass));
    const settled = await settledDays(connection, taken, daysCondition(project, taken));
    const together = taken.filter((day) => !settled.has(day));
    if (together.length === 0) return taken.length;
    const { sql, parameters } = daysCondition(project, together);
    await connection.run(`DELETE FROM stale_days WHERE ${sql}`, parameters);
    const states = together.reduce((states, day) => states + (sizes.get(day) ?? 0), 0);
    const passes = this.#passesFor(states);
    await mergeStates(connection, { project, sql, parameters, isSingle: together.length === 1, passes });
    await replaceEntries(connection, project, together, async () => {
      await connection.run(
        "INSERT INTO entries BY NAME FROM entries_after ORDER BY day, app, label; DROP TABLE entries_after",
      );
    });
    await connection.run("INSERT INTO counted_days SELECT $project::BIGINT, unnest($days::INTEGER[])", {
      project: BigInt(project),
      days: listValue(together),
    });
    return taken.length;
  }

  /** Returns a power of two: the last bits of a message's key then select its pass. */
  #passesFor(states: number): number {
    return 2 ** Math.max(0, Math.ceil(Math.log2(states / this.#statesAPass)));
  }
}
