import { Readable } from "node:stream";
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from "@clickhouse/client";
import { at } from "../../model/collections.js";
import { hasNoResponse, isBehind, isBroken } from "./engine-error.js";

/** Response timeout, in milliseconds. */
const RESPONSE_MS = 30_000;
/**
 * Maximum time without a progress report from a statement that processes whole days, in milliseconds. Such statements
 * may run longer than {@link RESPONSE_MS}, but report their progress in between.
 */
const SILENCE_MS = 120_000;
const PROGRESS_MS = 10_000;
/**
 * Size of response headers, in bytes. It leaves room for the progress reports of statements that run for hours. Each
 * report has about a hundred bytes.
 */
const HEADER_BYTES = 1_048_576;
/** Response timeout of {@link Connection.readEach}, in milliseconds. */
const EACH_MS = 4_000;
/** Timeout for each server in statements that run on all servers of a cluster, in seconds. */
const ALL_SERVERS_SECONDS = 20;
/** Maximum number of attempts per server to find a replica with all acknowledged rows. */
const ATTEMPTS_PER_SERVER = 4;
/**
 * Minimum number of attempts if connections break. It also applies if there is only one address, because a load
 * balancer may connect to another server.
 */
const MIN_ATTEMPTS = 2;
/** Maximum number of connections to each server. Further queries wait. */
const CONNECTIONS = 16;

/** Server addresses and credentials. */
export interface ConnectionOptions {
  /** Addresses of servers. Each of them can handle all statements. */
  readonly urls: readonly string[];
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Certificates of the authorities that signed the server certificates, in PEM form. */
  readonly caCertificate?: Buffer | undefined;
  /** Client certificate and key, in PEM form. */
  readonly clientCertificate?: { readonly certificate: Buffer; readonly key: Buffer } | undefined;
}

/** Engine settings by name. */
export type Settings = Readonly<Record<string, string | number>>;

const SETTINGS: Settings = {
  // The response begins only after the statement has succeeded, so that an error never follows a partial result.
  wait_end_of_query: 1,
  // Missing shards must cause an error, because a partial result would be wrong.
  skip_unavailable_shards: 0,
  // Applies conditions within views. Older engines need this setting.
  enable_optimize_predicate_expression: 1,
  // Statements may contain lists of thousands of days.
  max_query_size: 4_194_304,
};

/** Settings for statements that may run for a long time. */
const WORK_SETTINGS: Settings = {
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: PROGRESS_MS,
  distributed_ddl_task_timeout: ALL_SERVERS_SECONDS,
};

/** Settings for statements on all servers of a cluster. Servers may run such statements later. */
export const IN_BACKGROUND: Settings = { distributed_ddl_task_timeout: 0 };

const QUERY_SETTINGS: Settings = {
  // The engine must end a query even if its caller is no longer waiting.
  max_execution_time: RESPONSE_MS / 1_000,
};

/**
 * Sends statements to the servers in rotation, and tries the next server if one is unavailable or its replica is not up
 * to date.
 */
export class Connection {
  readonly #clients: readonly ClickHouseClient[];
  readonly #workers: readonly ClickHouseClient[];
  #sent = 0;

  constructor(options: ConnectionOptions) {
    this.#clients = options.urls.map((url) => clientOf(url, options, RESPONSE_MS));
    this.#workers = options.urls.map((url) => clientOf(url, options, SILENCE_MS));
  }

  /** Runs a query. @returns the rows in the format `RowBinary`. */
  read(sql: string, settings: Settings = {}, signal?: AbortSignal): Promise<Buffer> {
    const query = asRowBinary(sql);
    return this.#anywhere(
      this.#clients,
      (client) => send(client, query, { ...QUERY_SETTINGS, ...settings }, undefined, signal),
      signal,
    );
  }

  /** Runs a query on each server. The results are undefined for servers that are unavailable. */
  async readEach(sql: string): Promise<readonly (Buffer | undefined)[]> {
    const query = asRowBinary(sql);
    const read = (client: ClickHouseClient) =>
      send(client, query, QUERY_SETTINGS, undefined, AbortSignal.timeout(EACH_MS));
    return Promise.all(this.#clients.map((client) => read(client).catch(() => undefined)));
  }

  /**
   * Runs a statement that may run for a long time on one server.
   *
   * @param server index of the server, as in {@link readEach}.
   */
  async runOn(server: number, sql: string): Promise<void> {
    await send(at(this.#workers, server), sql, WORK_SETTINGS);
  }

  /** Runs a statement that may run for a long time. The statement may be repeated. */
  async run(sql: string, settings: Settings = {}): Promise<void> {
    await this.#anywhere(this.#workers, (client) => send(client, sql, { ...WORK_SETTINGS, ...settings }));
  }

  /**
   * Runs a statement that may run for a long time, without repeating it. If it fails or is aborted, it may still have
   * had its effect.
   */
  async runOnce(sql: string, settings: Settings = {}, signal?: AbortSignal): Promise<void> {
    await send(this.#next(this.#workers), sql, { ...WORK_SETTINGS, ...settings }, undefined, signal);
  }

  /**
   * Inserts rows in the format `RowBinary`, without repeating the insert. If it fails or is aborted, the rows may still
   * have been inserted.
   */
  async insert(sql: string, rows: Buffer, settings: Settings = {}, signal?: AbortSignal): Promise<void> {
    await send(this.#next(this.#clients), `${sql} FORMAT RowBinary`, settings, rows, signal);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients, ...this.#workers].map((client) => client.close()));
  }

  #next(clients: readonly ClickHouseClient[]): ClickHouseClient {
    const client = clients[this.#sent++ % clients.length];
    if (client === undefined) throw new Error("no server is configured");
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

/**
 * Returns the maximum number of attempts to run a statement after an error.
 *
 * @param servers number of server addresses.
 */
function attemptsFor(error: unknown, servers: number): number {
  if (isBehind(error)) return ATTEMPTS_PER_SERVER * servers;
  if (isBroken(error)) return Math.max(MIN_ATTEMPTS, servers);
  return hasNoResponse(error) ? servers : 1;
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
    // The client must not log errors, because its log would contain statements with their values. The store reports
    // errors to its callers.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

const asRowBinary = (query: string): string => `${query.trimEnd()}\nFORMAT RowBinary`;

/** Runs a statement and reads the complete response. */
async function send(
  client: ClickHouseClient,
  query: string,
  settings: Settings,
  rows?: Buffer,
  signal?: AbortSignal,
): Promise<Buffer> {
  signal?.throwIfAborted();
  const { stream } = await client.exec({
    query,
    clickhouse_settings: { ...SETTINGS, ...settings } as ClickHouseSettings,
    ...(rows !== undefined && { values: Readable.from([rows]) }),
    ...(signal !== undefined && { abort_signal: signal }),
  });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  signal?.throwIfAborted();
  return Buffer.concat(chunks);
}
