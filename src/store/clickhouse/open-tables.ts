import { type Clock, systemClock } from "../../model/clock.js";
import { StoreOpenError } from "../../model/store-error.js";
import type { UpgradePlan } from "../../sql/migrations.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { migrateTables, planTables } from "./migrate.js";
import { type Replication, replicationOf } from "./replication.js";
import type { Place } from "./tables.js";
import { Retries } from "./write/retries.js";

/** Connection to the tables, their location, and how often to retry. */
export interface TableOptions extends ConnectionOptions, Place {
  readonly clock?: Clock;
  /**
   * Time for which writes and migrations are retried after temporary engine errors, in milliseconds. For an append,
   * this includes the time in the queue and the last attempt.
   */
  readonly retryMs?: number;
}

/** Default of {@link TableOptions.retryMs}. It must be shorter than an append's admission lasts. */
const RETRY_MS = 20_000;

export interface Tables {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly place: Place;
  readonly settings: Replication;
  readonly retries: Retries;
}

/**
 * Connects to the servers. Creates the tables on first use, and waits until the cluster is ready.
 *
 * @throws StoreOpenError if no server responds, the cluster is unknown, or a newer Waybill version has created the
 * tables.
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

/** Returns the changes that {@link openTables} would make. Changes nothing. @throws the same errors. */
export async function planUpgradeOfTables({
  database,
  cluster,
  ...options
}: ConnectionOptions & Place): Promise<UpgradePlan> {
  const connection = new Connection(options);
  try {
    return await planTables(connection, { database, cluster });
  } catch (error) {
    throw toOpenError(error);
  } finally {
    await connection.close();
  }
}

function toOpenError(error: unknown): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  return new StoreOpenError(`cannot use ClickHouse: ${lineOf(error)}`, { cause: error });
}

/**
 * Returns the first line of an error message. Some errors have no message but a code, for example after attempts to
 * connect to several addresses of a host.
 */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [line = ""] = error.message.split("\n");
  return line === "" && "code" in error ? String(error.code) : line;
}
