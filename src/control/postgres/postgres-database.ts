import { Client, Pool, type PoolClient, type QueryResultRow } from "pg";
import { StoreUnavailableError } from "../../model/store-error.js";
import { inStatement } from "../../telemetry/tracing.js";
import { isSilence, unavailable } from "./postgres-error.js";
import type { PostgresAddress } from "./postgres-options.js";
import { NOW } from "./sql.js";

/** Timeout for connecting, and for waiting for a free connection, in milliseconds. */
const CONNECT_MS = 3_000;
/** Timeout for statements in the server in milliseconds. It includes waiting for locks. */
const STATEMENT_MS = 4_000;
/**
 * Timeout for responses in milliseconds. It includes waiting for a connection. When it is reached, the connection is
 * closed.
 */
const SILENCE_MS = 5_000;
/** Interval between TCP keep-alive probes, in milliseconds. */
const KEEP_ALIVE_MS = 10_000;
/** Timeout for closing connections, in milliseconds. */
const CLOSE_MS = 1_000;

export interface PostgresDatabaseOptions {
  readonly address: PostgresAddress;
  /** Maximum number of connections on which statements run. */
  readonly connections: number;
  /** Timeout for responses on a connection, in milliseconds. */
  readonly silenceMs?: number | undefined;
}

/**
 * A PostgreSQL database with a limited number of connections. Each statement is a separate transaction, so that a
 * suspended process holds no lock. If a connection fails, the next statement opens a new one.
 */
export class PostgresDatabase {
  readonly #options: PostgresDatabaseOptions;
  #pool: Pool;
  #closed = false;

  constructor(options: PostgresDatabaseOptions) {
    this.#options = options;
    this.#pool = this.#newPool();
  }

  /** Location of the database, for messages to operators. */
  get place(): string {
    const { host, port, database } = this.#options.address;
    return `PostgreSQL database ${database} at ${host.includes(":") ? `[${host}]` : host}:${port}`;
  }

  /**
   * Runs a statement.
   *
   * @param what purpose of the statement for the error message, such as "reading the leases".
   * @throws StoreUnavailableError if the statement fails. It may still have had its effect.
   */
  async query<Row extends QueryResultRow>(
    what: string,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    if (this.#closed) throw new StoreUnavailableError(`${what}: the connections are closed`);
    const pool = this.#pool;
    const deadline = performance.now() + this.#silenceMs;
    try {
      return await inStatement("postgresql", what, async () => {
        const client = await pool.connect();
        const timeout = Math.max(1, deadline - performance.now());
        return using(client, async () => {
          const query = { text: sql, values: [...values], query_timeout: timeout };
          return (await client.query<Row>(query)).rows;
        });
      });
    } catch (error) {
      // The other connections are probably dead, too.
      if (isSilence(error)) this.#abandon(pool);
      throw unavailable(what, this.place, error);
    }
  }

  /**
   * Creates a separate connection for long use. The caller connects it and ends it.
   *
   * @param silenceMs timeout for responses.
   */
  newClient({ silenceMs }: { readonly silenceMs: number }): Client {
    return new Client({ ...this.#connectionOptions(), query_timeout: silenceMs });
  }

  /**
   * Returns the database clock's time, in milliseconds since the Unix epoch.
   *
   * @throws the same errors as {@link query}.
   */
  async now(): Promise<number> {
    const [row] = await this.query<{ now: string }>("reading the clock", `SELECT ${NOW} AS now`);
    return Number(row?.now);
  }

  /** Checks that the database responds. @throws StoreUnavailableError if it does not. */
  async check(): Promise<void> {
    await this.query("checking the database", "SELECT");
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await endWithin(this.#pool.end());
  }

  get #silenceMs(): number {
    return this.#options.silenceMs ?? SILENCE_MS;
  }

  #abandon(pool: Pool): void {
    if (pool !== this.#pool || this.#closed) return;
    this.#pool = this.#newPool();
    pool.end().catch(() => {});
  }

  #newPool(): Pool {
    const silenceMs = this.#silenceMs;
    const pool = new Pool({
      ...this.#connectionOptions(),
      max: this.#options.connections,
      // One connection stays open, so that a call after a pause need not connect first.
      min: 1,
      statement_timeout: Math.min(STATEMENT_MS, silenceMs),
      query_timeout: silenceMs,
    });
    // An idle connection that has failed is removed from the pool. If the problem lasts, the next statement fails.
    pool.on("error", () => {});
    return pool;
  }

  #connectionOptions() {
    return {
      ...this.#options.address,
      application_name: "waybill",
      connectionTimeoutMillis: Math.min(CONNECT_MS, this.#silenceMs),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    };
  }
}

/** Uses a connection, and returns it to the pool. After an error, closes the connection instead. */
async function using<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  // Errors of an idle connection are ignored, because the next statement reports them.
  const ignore = (): void => {};
  client.on("error", ignore);
  let failure: Error | undefined;
  try {
    return await work();
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.off("error", ignore);
    client.release(failure);
  }
}

/** Waits until connections have ended, but at most {@link CLOSE_MS}. */
export async function endWithin(ending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS);
  });
  await Promise.race([ending.catch(() => {}), enough]);
  clearTimeout(timer);
}
