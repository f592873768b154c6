import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import { daysTogether } from "../../days-together.js";
import { inTransaction, interruptible } from "../connection.js";
import { listValue } from "../engine.js";
import { sqlTemplate } from "../sql.js";
import { replaceEntries } from "./day-publication.js";
import { type DaysCondition, daysCondition, settledDays, sizesOfDays } from "./days.js";

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

const RANKED_LABELS_SQL = sqlTemplate("ranked-labels.sql");
const SUMMED_SQL = sqlTemplate("summed.sql");
const ARRIVED_SQL = sqlTemplate("arrived.sql");
const MERGED_SQL = sqlTemplate("merged.sql");
const FATES_SQL = sqlTemplate("fates.sql");
const ENTRIES_AFTER_SQL = sqlTemplate("entries-after.sql");

/** Makes an empty table for message numbers by fate. */
export const EMPTY_FATES = `
  CREATE OR REPLACE TEMP TABLE fates (day INTEGER, app INTEGER, label UBIGINT, notification BOOLEAN,
    outcome UTINYINT, proxy UTINYINT, seen UINTEGER, messages BIGINT)`;

/**
 * Macros of the statements: `lesser` is the lesser of what is not NULL. The engine compares unsigned integers in `least` as
 * texts, which takes several times as long.
 */
const MACROS = `
  CREATE TEMP MACRO lesser(a, b) AS if(b < a, b, coalesce(a, b));
  CREATE TEMP MACRO label_of(accepted) AS (accepted >> 1) & 4294967295;
  CREATE TEMP MACRO with_label(accepted, label) AS
    (accepted & ~8589934591::UBIGINT) | (label << 1) | (accepted & 1);
  CREATE TEMP MACRO total(counts, condition) AS coalesce(sum(counts) FILTER (condition), 0)::BIGINT;
  CREATE TEMP MACRO saw(seen, type) AS seen & (1::UINTEGER << type) <> 0;`;

/** The ACCEPTED events that a merge compares. */
const MERGED_ACCEPTED = "SELECT accepted FROM arrived UNION ALL SELECT accepted_before FROM matched";
/** The days among those being merged whose entries count the states before the merge. */
const DAYS_BEFORE = "SELECT day FROM counted_days WHERE {DAYS}";
const CHANGED_STATES = `
  SELECT day, app, accepted, outcome, proxy, seen, 1 AS messages FROM arrived
    WHERE day IN (${DAYS_BEFORE})
  UNION ALL
  SELECT day, app, accepted_before, outcome_before, proxy_before, seen_before, -1 FROM merged
    WHERE is_changed AND day IN (${DAYS_BEFORE})`;
const STATES_OF_OTHER_DAYS = `
  SELECT *, 1 AS messages FROM message_states WHERE {DAYS} AND day NOT IN (${DAYS_BEFORE})`;

/** Days of a project to merge. */
export interface DaysToMerge extends DaysCondition {
  /** Project number, in decimal. */
  readonly project: string;
  /** True if there is one day only, which saves a grouping key. */
  readonly isSingle: boolean;
  /** Number of parts that are merged one after another, which bounds the memory: a power of two. */
  readonly passes: number;
}

/**
 * Merges what has arrived of days into the states of their messages and removes it. Leaves the entries of the days in
 * the temporary table `entries_after`. Run it in a transaction.
 *
 * A state has what the rollup needs to know of a message on a day: the least of the ranks of its ACCEPTED
 * events, of its outcomes and of its proxy results, and the set of the types seen. Merging two states is
 * associative, commutative and idempotent, so the order, the repetition and the grouping of events do not
 * matter.
 */
export async function mergeStates(connection: DuckDBConnection, days: DaysToMerge): Promise<void> {
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
    // Leaves the states that are new or change, as they are after the merge.
    await connection.run(`
      DELETE FROM arrived WHERE rowid IN (SELECT row_arrived FROM merged);
      INSERT INTO arrived BY NAME
        SELECT day, app, key_high, key_low, accepted, outcome, proxy, seen FROM merged WHERE is_changed`);
    await connection.run(fatesOf(CHANGED_STATES), parameters);
    // The condition on the days lets the engine skip all other days.
    await connection.run(
      `DELETE FROM message_states WHERE ${sql} AND rowid IN (SELECT row_before FROM merged WHERE is_changed)`,
      parameters,
    );
    await connection.run("INSERT INTO message_states BY NAME SELECT $project AS project, * FROM arrived", {
      project: BigInt(project),
    });
  }
  // A commit takes half a second longer for millions of rows in temporary tables from which some were deleted.
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
