import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import { daysTogether } from "../../../model/due-days.js";
import type { ProjectNumber } from "../../../model/names.js";
import { inTransaction, interruptible } from "../connection.js";
import { listValue } from "../engine.js";
import { sqlTemplate } from "../sql.js";
import { daysCondition, replaceEntries, settledDays } from "./days.js";
import { BEFORE_ALL_APPENDS, countFates, type DayToCount, prepareCounting, STATES_A_PASS } from "./fates.js";

/**
 * Maximum number of new states in days that are rolled up together. Such a rollup lasts some tenths of a second.
 */
const STATES_TOGETHER = 250_000;

const NEW_STATES_SQL = sqlTemplate("write/new-states.sql");
const SUMMED_SQL = sqlTemplate("write/summed.sql");

/** A day to roll up. */
interface StaleDay extends DayToCount {
  /** Number of messages that the entries count already. */
  readonly messages: number;
}

/** Computes and publishes delivery data on its own connection. Small days are rolled up together. */
export class DayRollup {
  readonly #connection: DuckDBConnection;
  readonly #statesAPass: number;

  private constructor(connection: DuckDBConnection, statesAPass: number) {
    this.#connection = connection;
    this.#statesAPass = statesAPass;
  }

  /**
   * Opens a rollup.
   *
   * @param statesAPass maximum number of states that one pass counts. It limits memory use for days of any size.
   */
  static async open(connection: DuckDBConnection, statesAPass = STATES_A_PASS): Promise<DayRollup> {
    await prepareCounting(connection);
    return new DayRollup(connection, statesAPass);
  }

  /**
   * Adds new events of days to the entries of these days, and removes their stale marks, all in one transaction. Readers
   * see all days either before or after the change. Processes days from the start of `days`, as many as are cheap to
   * roll up together, but at least one. Keeps the entries of sealed days without new events, because their states may
   * have been removed.
   *
   * @param signal cancels the rollup, unless its transaction is already being committed.
   * @returns the number of processed days.
   */
  run(project: ProjectNumber, days: readonly Day[], signal?: AbortSignal): Promise<number> {
    const connection = this.#connection;
    const work = (): Promise<number> => this.#countAndPublish(project, days);
    return inTransaction(connection, () => interruptible(connection, signal, work));
  }

  async #countAndPublish(project: ProjectNumber, days: readonly Day[]): Promise<number> {
    const connection = this.#connection;
    const found = await this.#staleDays(project, days);
    const sizes = new Map(found.map(({ day, states }) => [day, states]));
    const taken = daysTogether(days, sizes, Math.min(STATES_TOGETHER, this.#statesAPass));
    const settled = await settledDays(connection, taken, daysCondition(project, taken));
    const together = found.slice(0, taken.length).filter(({ day }) => !settled.has(day));
    if (together.length > 0) await this.#publish(project, together);
    return taken.length;
  }

  async #publish(project: ProjectNumber, days: readonly StaleDay[]): Promise<void> {
    const connection = this.#connection;
    const numbers = days.map(({ day }) => day);
    const { sql, parameters } = daysCondition(project, numbers);
    await connection.run(`DELETE FROM stale_days WHERE ${sql}`, parameters);
    await countFates(connection, project, days, this.#statesAPass);
    const result = await connection.runAndReadAll("SELECT day, sum(messages) FROM fates GROUP BY day");
    const added = new Map(result.getRows().map(([day, messages]) => [Number(day), Number(messages)]));
    // Counts of days that have counted entries are added to these entries.
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE entries_after AS
       WITH ${SUMMED_SQL({ DAYS: sql })}
       SELECT $project AS project, * FROM summed WHERE count_messages_accepted > 0`,
      parameters,
    );
    await replaceEntries(connection, project, numbers, async () => {
      await connection.run(
        "INSERT INTO entries BY NAME FROM entries_after ORDER BY day, app, label; DROP TABLE entries_after; DROP TABLE fates",
      );
    });
    await connection.run(
      `INSERT INTO counted_days BY NAME SELECT $project::BIGINT AS project, unnest($days::INTEGER[]) AS day,
         unnest($until::BIGINT[]) AS last_append, unnest($messages::BIGINT[]) AS messages`,
      {
        project: BigInt(project),
        days: listValue(numbers),
        until: listValue(days.map(({ until }) => BigInt(until))),
        messages: listValue(days.map(({ day, messages }) => BigInt(messages + (added.get(day) ?? 0)))),
      },
    );
  }

  /** Looks up which appends of days the entries do not count yet. */
  async #staleDays(project: ProjectNumber, days: readonly Day[]): Promise<readonly StaleDay[]> {
    const connection = this.#connection;
    const { sql, parameters } = daysCondition(project, days);
    const counted = await connection.runAndReadAll(
      `SELECT day, last_append, messages FROM counted_days WHERE ${sql}`,
      parameters,
    );
    const before = new Map(
      counted
        .getRows()
        .map(([day, last, messages]) => [Number(day), [Number(last), Number(messages)] as const]),
    );
    const countedOf = (day: Day): number => before.get(day)?.[0] ?? BEFORE_ALL_APPENDS;
    const appended = await connection.runAndReadAll(NEW_STATES_SQL({ DAYS: sql }), {
      ...parameters,
      days: listValue(days),
      counted: listValue(days.map((day) => BigInt(countedOf(day)))),
      counted_of_all: Math.min(...days.map(countedOf)),
    });
    const after = new Map(
      appended.getRows().map(([day, states, last]) => [Number(day), [Number(states), Number(last)] as const]),
    );
    return days.map((day) => {
      const [states, until] = after.get(day) ?? [0, countedOf(day)];
      return { day, counted: countedOf(day), until, states, messages: before.get(day)?.[1] ?? 0 };
    });
  }
}
