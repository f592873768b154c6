import { Readable } from "node:stream";
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from "@clickhouse/client";
import { isBehind, isBroken, isUnanswered } from "./engine-error.js";

/** Time after which a server that does not answer counts as gone, in milliseconds. */
const ANSWER_MS = 30_000;
/**
 * The same for statements that work on whole days, in milliseconds. They take as long as they need, and report
 * their progress more often than this.
 */
const SILENCE_MS = 120_000;
const PROGRESS_MS = 10_000;
/** Room for the reports of statements that take hours; each takes a hundred bytes. */
const HEADER_BYTES = 1_048_576;
/** Time that statements for all servers of a cluster wait for each of them, in seconds. */
const ALL_SERVERS_SECONDS = 20;
/** Attempts to read that meet a replica without all acknowledged rows, before a query fails, for each server. */
const ATTEMPTS_PER_SERVER = 4;
/** Attempts while connections break, also with one address: behind that of a balancer, another server may answer. */
const MIN_ATTEMPTS = 2;
/** Connections to each server that readers share; more queries wait. */
const CONNECTIONS = 16;

/** Addresses of the servers, and credentials for them. */
export interface ConnectionOptions {
  /** Addresses of servers, any of which can answer. */
  readonly urls: readonly string[];
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Certificates of the authorities that sign the servers' certificates, in PEM form. */
  readonly caCertificate?: Buffer | undefined;
  /** The client's own certificate and key, in PEM form. */
  readonly clientCertificate?: { readonly certificate: Buffer; readonly key: Buffer } | undefined;
}

/** Settings of the engine, by their names. */
export type Settings = Readonly<Record<string, string | number>>;

/** Settings of every statement. */
const SETTINGS: Settings = {
  // The answer begins when the statement has succeeded: an error is never in the middle of a result.
  wait_end_of_query: 1,
  // A partial answer would be a wrong one.
  skip_unavailable_shards: 0,
  // Lets conditions reach the tables below views, which older engines do only on request.
  enable_optimize_predicate_expression: 1,
  // Lists of thousands of days are part of the statement.
  max_query_size: 4_194_304,
};

/** Settings of statements that may take long. */
const WORK_SETTINGS: Settings = {
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: PROGRESS_MS,
  distributed_ddl_task_timeout: ALL_SERVERS_SECONDS,
};

/** Settings of statements for all servers of a cluster that need not wait for them: each runs them once it can. */
export const IN_BACKGROUND: Settings = { distributed_ddl_task_timeout: 0 };

/** Settings of queries. */
const QUERY_SETTINGS: Settings = {
  // A query whose caller has given up ends too.
  max_execution_time: ANSWER_MS / 1_000,
};

/** Sends statements to servers in turn, and to the next one if one is gone or its replica is behind. */
export class Connection {
  readonly #clients: readonly ClickHouseClient[];
  readonly #workers: readonly ClickHouseClient[];
  #turn = 0;

  constructor(options: ConnectionOptions) {
    this.#clients = options.urls.map((url) => clientOf(url, options, ANSWER_MS));
    this.#workers = options.urls.map((url) => clientOf(url, options, SILENCE_MS));
  }

  /**
   * Runs a query.
   *
   * @returns the rows in the format `RowBinary`.
   */
  read(sql: string, settings: Settings = {}, signal?: AbortSignal): Promise<Buffer> {
    const query = `${sql.trimEnd()}\nFORMAT RowBinary`;
    return this.#anywhere(
      this.#clients,
      (client) => send(client, query, { ...QUERY_SETTINGS, ...settings }, undefined, signal),
      signal,
    );
  }

  /** Runs a statement that may be repeated, and that may take long. */
  async run(sql: string, settings: Settings = {}): Promise<void> {
    await this.#anywhere(this.#workers, (client) => send(client, sql, { ...WORK_SETTINGS, ...settings }));
  }

  /**
   * Runs a statement at one server, which may take long. Its outcome is unknown after an error, also that of a signal
   * that aborts.
   */
  async runOnce(sql: string, settings: Settings = {}, signal?: AbortSignal): Promise<void> {
    await send(this.#next(this.#workers), sql, { ...WORK_SETTINGS, ...settings }, undefined, signal);
  }

  /**
   * Inserts rows of the format `RowBinary`, in parts, at one server. The outcome is unknown after an error, also that of
   * a signal that aborts.
   */
  async insert(
    sql: string,
    rows: readonly Buffer[],
    settings: Settings = {},
    signal?: AbortSignal,
  ): Promise<void> {
    await send(this.#next(this.#clients), `${sql} FORMAT RowBinary`, settings, rows, signal);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients, ...this.#workers].map((client) => client.close()));
  }

  #next(clients: readonly ClickHouseClient[]): ClickHouseClient {
    const client = clients[this.#turn++ % clients.length];
    if (client === undefined) throw new Error("no server is known");
    return client;
  }

  async #anywhere<T>(
    clients: readonly ClickHouseClient[],
    work: (client: ClickHouseClient) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(this.#next(clients));
      } catch (error) {
        if (attempt >= attemptsFor(error, clients.length) || signal?.aborted) throw error;
      }
    }
  }
}

/** Returns how often a statement is sent, at most, that meets an error. @param servers number of addresses. */
function attemptsFor(error: unknown, servers: number): number {
  if (isBehind(error)) return ATTEMPTS_PER_SERVER * servers;
  if (isBroken(error)) return Math.max(MIN_ATTEMPTS, servers);
  return isUnanswered(error) ? servers : 1;
}

function clientOf(url: string, options: ConnectionOptions, timeout: number): ClickHouseClient {
  const { username, password, caCertificate, clientCertificate } = options;
  return createClient({
    url,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(caCertificate !== undefined && {
      tls: {
        ca_cert: caCertificate,
        ...(clientCertificate && { cert: clientCertificate.certificate, key: clientCertificate.key }),
      },
    }),
    request_timeout: timeout,
    max_response_headers_size: HEADER_BYTES,
    max_open_connections: CONNECTIONS,
    application: "waybill",
    // The store reports errors to its callers, and the client's log would repeat statements with their values.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/** Runs a statement and reads its answer to the end. */
async function send(
  client: ClickHouseClient,
  query: string,
  settings: Settings,
  rows?: readonly Buffer[],
  signal?: AbortSignal,
): Promise<Buffer> {
  signal?.throwIfAborted();
  const { stream } = await client.exec({
    query,
    clickhouse_settings: { ...SETTINGS, ...settings } as ClickHouseSettings,
    ...(rows !== undefined && { values: Readable.from(rows) }),
    ...(signal !== undefined && { abort_signal: signal }),
  });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  signal?.throwIfAborted();
  return Buffer.concat(chunks);
}
