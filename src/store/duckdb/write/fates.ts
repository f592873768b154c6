import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import type { ProjectNumber } from "../../../model/names.js";
import { listValue } from "../engine.js";
import { sqlTemplate } from "../sql.js";
import { daysCondition, keyRanges } from "./days.js";

const COUNT_FATES_SQL = sqlTemplate("write/count-fates.sql");
/**
 * Parts of the count if no day has counted states. Reading the new states twice needs less memory and time than keeping
 * them.
 */
const FIRST_COUNT = {
  STATES: "NOT MATERIALIZED (FROM new_states)",
  BEFORE: "",
  CHANGES: "SELECT *, 1 AS weight FROM messages",
};

/**
 * Parts of the count if a day has counted states. They add earlier states of messages with new states. Two messages with
 * the same lower half of the key do no harm, because a message without new states changes no count. While the engine
 * reads the table, it compares keys, and skips the other columns of most earlier states. For this, `appends` must be
 * joined last. The engine keeps only the new keys in memory, because it expects fewer of them. If it expected fewer
 * earlier states, it would keep these instead.
 */
const LATER_COUNT = {
  STATES: `MATERIALIZED (
    FROM new_states
    UNION ALL
    SELECT same_keys.* EXCLUDE (append_number), false AS is_new
    FROM (FROM in_range SEMI JOIN new_states USING (key_low)) AS same_keys JOIN appends USING (day)
    WHERE append_number <= counted
  )`,
  BEFORE: `,
    min(with_label(accepted, label_rank)) FILTER (NOT is_new) AS accepted_before,
    min(outcome) FILTER (NOT is_new) AS outcome_before,
    min(proxy) FILTER (NOT is_new) AS proxy_before,
    bit_or(seen) FILTER (NOT is_new) AS seen_before`,
  CHANGES: `
    SELECT
      day,
      app,
      if(weight > 0, accepted, accepted_before) AS accepted,
      if(weight > 0, outcome, outcome_before) AS outcome,
      if(weight > 0, proxy, proxy_before) AS proxy,
      if(weight > 0, seen, seen_before) AS seen,
      weight
    FROM messages, (VALUES (1), (-1)) AS weights (weight)
    WHERE weight > 0 OR seen_before IS NOT NULL`,
};

/** Default number of states that one pass counts. They fit into the engine's default memory limit. */
export const STATES_A_PASS = 1_250_000;

/** A number that is lower than all append numbers. */
export const BEFORE_ALL_APPENDS = -1;

/** Appends of a day to count. */
export interface DayToCount {
  readonly day: Day;
  /** The last append that is counted already, {@link BEFORE_ALL_APPENDS} if there is none. */
  readonly counted: number;
  /** The last append to count. */
  readonly until: number;
  /** Number of states in these appends. */
  readonly states: number;
}

/**
 * Creates macros for the column `accepted`, which contains a label id or a label rank, and for columns of `fates`:
 * `total` sums messages that match a condition, and `saw` is true for messages with an event of a type.
 */
const MACROS = `
  CREATE TEMP MACRO label_of(accepted) AS (accepted >> 1) & 4294967295;
  CREATE TEMP MACRO with_label(accepted, label) AS
    (accepted & ~8589934591::UBIGINT) | (label << 1) | (accepted & 1);
  CREATE TEMP MACRO total(counts, condition) AS coalesce(sum(counts) FILTER (condition), 0)::BIGINT;
  CREATE TEMP MACRO saw(seen, type) AS seen & (1::UINTEGER << type) <> 0;`;

const EMPTY_FATES = `
  CREATE OR REPLACE TEMP TABLE fates (day INTEGER, app INTEGER, label UBIGINT, notification BOOLEAN,
    outcome UTINYINT, proxy UTINYINT, seen UINTEGER, messages BIGINT)`;

/** Prepares a connection for {@link countFates}. */
export async function prepareCounting(connection: DuckDBConnection): Promise<void> {
  await connection.run(MACROS);
}

/**
 * Counts messages with new states by fate: everything that their counts depend on. Writes the differences to the
 * temporary table `fates`. Messages without an ACCEPTED event have no label there.
 *
 * A message's state contains everything that a rollup needs to know about it on one day: the lowest rank of its ACCEPTED
 * events, outcomes and proxy results, and its event types. Combining states is associative, commutative and idempotent,
 * so that the order, repetition and grouping of events have no effect.
 *
 * @param days distinct days, at least one.
 * @param statesAPass about the maximum number of new states that one pass counts, to limit memory use for days of any
 *   size. Earlier states of the same messages add to it.
 */
export async function countFates(
  connection: DuckDBConnection,
  project: ProjectNumber,
  days: readonly DayToCount[],
  statesAPass = STATES_A_PASS,
): Promise<void> {
  await connection.run(EMPTY_FATES);
  const [numbers, counted] = [days.map(({ day }) => day), days.map(({ counted }) => counted)];
  const { sql, parameters } = daysCondition(project, numbers);
  const states = days.reduce((sum, { states }) => sum + states, 0);
  const isFirst = counted.every((append) => append === BEFORE_ALL_APPENDS);
  const counting = COUNT_FATES_SQL({ DAYS: sql, ...(isFirst ? FIRST_COUNT : LATER_COUNT) });
  const appends = {
    days: listValue(numbers),
    counted: listValue(counted.map(BigInt)),
    until: listValue(days.map(({ until }) => BigInt(until))),
    counted_of_all: Math.min(...counted),
  };
  for (const range of keyRanges(states, statesAPass))
    await connection.run(counting, { ...parameters, ...appends, ...range });
}
