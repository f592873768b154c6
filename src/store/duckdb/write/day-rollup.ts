import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import { daysTogether } from "../../../model/due-days.js";
import type { ProjectNumber } from "../../../model/names.js";
import { inTransaction, interruptible } from "../connection.js";
import { listValue } from "../engine.js";
import { sqlTemplate } from "../sql.js";
import { type DaysCondition, daysCondition, replaceEntries, settledDays, sizesOfDays } from "./days.js";

/** Default number of partial states that one pass merges. They fit into the engine's default memory limit. */
const STATES_A_PASS = 1_500_000;
/**
 * Maximum number of partial states in days that are rolled up together. Such a rollup lasts some tenths of a second.
 */
const STATES_TOGETHER = 250_000;

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
   * @param statesAPass maximum number of partial states that one pass merges. It limits memory use for days of any
   * size.
   */
  static async open(connection: DuckDBConnection, statesAPass = STATES_A_PASS): Promise<DayRollup> {
    await prepareMerges(connection);
    return new DayRollup(connection, statesAPass);
  }

  /**
   * Merges new events of days, replaces the entries of these days, and removes their stale marks, all in one
   * transaction. Readers see all days either before or after the change. Processes days from the start of `days`, as
   * many as are cheap to roll up together, but at least one. Keeps the entries of sealed days without new events,
   * because their states may have been removed.
   *
   * @param signal cancels the rollup, unless its transaction is already being committed.
   * @returns the number of processed days.
   */
  run(project: ProjectNumber, days: readonly Day[], signal?: AbortSignal): Promise<number> {
    const connection = this.#connection;
    const work = (): Promise<number> => this.#mergeAndPublish(project, days);
    return inTransaction(connection, () => interruptible(connection, signal, work));
  }

  async #mergeAndPublish(project: ProjectNumber, days: readonly Day[]): Promise<number> {
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

  /** Returns a power of two, because the last bits of a message key determine in which pass the message is merged. */
  #passesFor(states: number): number {
    return 2 ** Math.max(0, Math.ceil(Math.log2(states / this.#statesAPass)));
  }
}

const RANKED_LABELS_SQL = sqlTemplate("write/ranked-labels.sql");
const SUMMED_SQL = sqlTemplate("write/summed.sql");
const ARRIVED_SQL = sqlTemplate("write/arrived.sql");
const MERGED_SQL = sqlTemplate("write/merged.sql");
const FATES_SQL = sqlTemplate("write/fates.sql");
const ENTRIES_AFTER_SQL = sqlTemplate("write/entries-after.sql");

/** Creates an empty table with numbers of messages by their fate. */
export const EMPTY_FATES = `
  CREATE OR REPLACE TEMP TABLE fates (day INTEGER, app INTEGER, label UBIGINT, notification BOOLEAN,
    outcome UTINYINT, proxy UTINYINT, seen UINTEGER, messages BIGINT)`;

/**
 * Creates the macro `lesser`, which returns the smaller of two values and ignores NULL. The engine's own `least`
 * compares unsigned integers as strings, which is several times slower.
 */
const MACROS = `
  CREATE TEMP MACRO lesser(a, b) AS if(b < a, b, coalesce(a, b));
  CREATE TEMP MACRO label_of(accepted) AS (accepted >> 1) & 4294967295;
  CREATE TEMP MACRO with_label(accepted, label) AS
    (accepted & ~8589934591::UBIGINT) | (label << 1) | (accepted & 1);
  CREATE TEMP MACRO total(counts, condition) AS coalesce(sum(counts) FILTER (condition), 0)::BIGINT;
  CREATE TEMP MACRO saw(seen, type) AS seen & (1::UINTEGER << type) <> 0;`;

/** Selects the ACCEPTED events that a merge compares. */
const MERGED_ACCEPTED = "SELECT accepted FROM arrived UNION ALL SELECT accepted_before FROM matched";
/** Selects the days to merge for which the entries already count message states. */
const DAYS_BEFORE = "SELECT day FROM counted_days WHERE {DAYS}";
const CHANGED_STATES = `
  SELECT day, app, accepted, outcome, proxy, seen, 1 AS messages FROM arrived
    WHERE day IN (${DAYS_BEFORE})
  UNION ALL
  SELECT day, app, accepted_before, outcome_before, proxy_before, seen_before, -1 FROM merged
    WHERE is_changed AND day IN (${DAYS_BEFORE})`;
const STATES_OF_OTHER_DAYS = `
  SELECT *, 1 AS messages FROM message_states WHERE {DAYS} AND day NOT IN (${DAYS_BEFORE})`;

export interface DaysToMerge extends DaysCondition {
  readonly project: ProjectNumber;
  /** True if there is only one day, so that it need not be a grouping key. */
  readonly isSingle: boolean;
  /** Number of passes. It is a power of two, and limits memory use. */
  readonly passes: number;
}

/**
 * Merges the partial states of days into message states, and removes them. Writes the new entries of these days to the
 * temporary table `entries_after`. Must run in a transaction.
 *
 * A state contains everything that a rollup needs to know about a message on one day: the lowest rank of its ACCEPTED
 * events, outcomes and proxy results, and its event types. Merging is associative, commutative and idempotent, so that
 * the order, repetition and grouping of events have no effect.
 */
async function mergeStates(connection: DuckDBConnection, days: DaysToMerge): Promise<void> {
  const { project, sql, parameters, isSingle, passes } = days;
  const day = isSingle ? { DAY: "$first::INTEGER", DAY_KEY: "" } : { DAY: "day", DAY_KEY: "day," };
  const words = { DAYS: sql, ...day };
  const rankedLabels = (accepted: string) => ({
    ...words,
    RANKED_LABELS: RANKED_LABELS_SQL({ ACCEPTED: accepted }),
  });
  const fatesOf = (states: string): string => FATES_SQL({ STATES: states.replaceAll("{DAYS}", sql) });
  await connection.run(EMPTY_FATES);
  for (let part = 0; part < passes; part++) {
    await connection.run(ARRIVED_SQL(rankedLabels("SELECT accepted FROM arriving")), {
      ...parameters,
      mask: passes - 1,
      part,
    });
    await connection.run(MERGED_SQL(rankedLabels(MERGED_ACCEPTED)), parameters);
    // After this, `arrived` contains only new and changed states, with merged values.
    await connection.run(`
      DELETE FROM arrived WHERE rowid IN (SELECT row_arrived FROM merged);
      INSERT INTO arrived BY NAME
        SELECT day, app, key_high, key_low, accepted, outcome, proxy, seen FROM merged WHERE is_changed`);
    await connection.run(fatesOf(CHANGED_STATES), parameters);
    // The condition on days lets the engine skip all other days.
    await connection.run(
      `DELETE FROM message_states WHERE ${sql} AND rowid IN (SELECT row_before FROM merged WHERE is_changed)`,
      parameters,
    );
    await connection.run("INSERT INTO message_states BY NAME SELECT $project AS project, * FROM arrived", {
      project: BigInt(project),
    });
  }
  // The tables are dropped early. If a temporary table with millions of rows contains deleted rows, a commit lasts half
  // a second longer.
  await connection.run("DROP TABLE arrived; DROP TABLE merged");
  await connection.run(fatesOf(STATES_OF_OTHER_DAYS), parameters);
  await connection.run(`DELETE FROM partial_states WHERE ${sql}`, parameters);
  await connection.run(ENTRIES_AFTER_SQL({ SUMMED: SUMMED_SQL(words) }), parameters);
  await connection.run("DROP TABLE fates");
}

/** Prepares a connection for {@link mergeStates}. */
export async function prepareMerges(connection: DuckDBConnection): Promise<void> {
  await connection.run(MACROS);
}
