import type { DuckDBConnection } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";

/** Stands for the last sealed day while no day is sealed. */
export const BEFORE_ALL_DAYS: Day = -0x8000_0000;

/** Reads the last sealed day; {@link BEFORE_ALL_DAYS} if no day is sealed. */
export async function lastSealedDay(connection: DuckDBConnection): Promise<Day> {
  const result = await connection.runAndReadAll("SELECT max(until) FROM sealed_days");
  return Number(result.getRows()[0]?.[0] ?? BEFORE_ALL_DAYS);
}

/** The sealed days, as the single writer knows them. */
export class SealedDays {
  readonly #connection: DuckDBConnection;
  /** The last sealed day; missing if it has to be read. */
  #until: Day | undefined;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** Returns the last sealed day. */
  async until(): Promise<Day> {
    this.#until ??= await lastSealedDay(this.#connection);
    return this.#until;
  }

  /** Seals all days up to `until`, within the transaction of the connection. */
  async extend(until: Day): Promise<void> {
    if (until <= (await this.until())) return;
    await this.#connection.run("DELETE FROM sealed_days");
    await this.#connection.run("INSERT INTO sealed_days VALUES ($1::INTEGER)", [until]);
    this.#until = until;
  }

  /** Forgets what may not be on disk after a failed transaction. */
  reset(): void {
    this.#until = undefined;
  }
}
