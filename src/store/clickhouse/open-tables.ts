import { type Clock, systemClock } from "../../model/clock.js";
import { StoreOpenError } from "../../model/store-error.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { migrateTables } from "./migrate.js";
import { type Replication, replicationOf } from "./replication.js";
import type { Place } from "./tables.js";
import { Retries } from "./write/retries.js";

/** Where tables are, and how to use them. */
export interface TableOptions extends ConnectionOptions, Place {
  readonly clock?: Clock;
  /**
   * Time for which writes and migrations are repeated while the engine fails with errors that pass, in milliseconds. For
   * an append, it includes its wait for other appends and the time of the last attempt.
   */
  readonly retryMs?: number;
}

/** Default of {@link TableOptions.retryMs}: less than the admission of an append lasts. */
const RETRY_MS = 20_000;

/** Tables that are ready for use. */
export interface Tables {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly place: Place;
  readonly settings: Replication;
  readonly retries: Retries;
}

/**
 * Connects to the servers, and makes the tables on first use, for which it waits for a cluster that is not ready yet.
 *
 * @throws StoreOpenError if no server answers, if they do not know the cluster, or if a newer version of the
 * program made the tables.
 */
export async function openTables({
  clock = systemClock,
  retryMs = RETRY_MS,
  ...options
}: TableOptions): Promise<Tables> {
  const place = { database: options.database, cluster: options.cluster };
  const connection = new Connection(options);
  try {
    const settings = await replicationOf(connection, place);
    const retries = new Retries(clock, retryMs);
    await migrateTables(connection, place, retries);
    return { connection, clock, place, settings, retries };
  } catch (error) {
    await connection.close();
    throw toOpenError(error);
  }
}

function toOpenError(error: unknown): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  return new StoreOpenError(`cannot use ClickHouse: ${lineOf(error)}`, { cause: error });
}

/** The first line of an error's message; its code if it has none, as after attempts at several addresses of a name. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [line = ""] = error.message.split("\n");
  return line === "" && "code" in error ? String(error.code) : line;
}
