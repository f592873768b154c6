import type { DuckDBConnection } from "@duckdb/node-api";
import type { ProjectDay } from "../message-event-store.js";
import { readSql } from "./sql.js";
import { inTransaction } from "./transaction.js";

/** The most events that one pass groups unless told otherwise; what that takes fits the engine's default memory. */
const EVENTS_A_PASS = 6_000_000;

const RANKED_LABELS = { RANKED_LABELS: readSql("ranked-labels.sql") };
const FATES_SQL = readSql("fates.sql", RANKED_LABELS);
const PUBLISH_SQL = readSql("rollup.sql", RANKED_LABELS);

/** What became of messages, and of how many alike: the table between the two steps, of one day at a time. */
const FATES_TABLE = `
  CREATE TEMP TABLE fates (app INTEGER, label_rank BIGINT, notification BOOLEAN,
    outcome UTINYINT, proxy UTINYINT, seen UINTEGER, messages BIGINT);
  CREATE TEMP MACRO total(counts, condition) AS coalesce(sum(counts) FILTER (condition), 0);
  CREATE TEMP MACRO saw(seen, type) AS seen & (1::UINTEGER << type) <> 0;`;

/** Computes and publishes the delivery data of days, on a connection of its own, one at a time. */
export class DayRollup {
  readonly #connection: DuckDBConnection;
  readonly #eventsAPass: number;

  private constructor(connection: DuckDBConnection, eventsAPass: number) {
    this.#connection = connection;
    this.#eventsAPass = eventsAPass;
  }

  /** @param eventsAPass the most events that are grouped at a time, so that a day of any size takes the same memory. */
  static async open(connection: DuckDBConnection, eventsAPass = EVENTS_A_PASS): Promise<DayRollup> {
    await connection.run(FATES_TABLE);
    return new DayRollup(connection, eventsAPass);
  }

  /** The rows of a day go and come, and its marks go, in one transaction: readers see the day before or after it. */
  run({ project, day }: ProjectDay): Promise<void> {
    const connection = this.#connection;
    const parameters = { project: BigInt(project), day };
    return inTransaction(connection, async () => {
      await connection.run("DELETE FROM stale_days WHERE project = $project AND day = $day", parameters);
      await connection.run("DELETE FROM entries WHERE project = $project AND day = $day", parameters);
      await connection.run("DELETE FROM fates");
      const passes = await this.#passesOf(parameters);
      for (let part = 0; part < passes; part++) {
        await connection.run(FATES_SQL, { ...parameters, mask: passes - 1, part });
      }
      await connection.run(PUBLISH_SQL, parameters);
    });
  }

  /** A power of two, so that the last bits of a message's digest tell its pass. */
  async #passesOf(parameters: { project: bigint; day: number }): Promise<number> {
    const result = await this.#connection.runAndReadAll(
      "SELECT count(*) FROM events WHERE project = $project AND day = $day",
      parameters,
    );
    const events = Number(result.getRows()[0]?.[0]);
    return 2 ** Math.max(0, Math.ceil(Math.log2(events / this.#eventsAPass)));
  }
}
