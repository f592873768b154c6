import type { DayLedger } from "../../control/day-ledger.js";
import { at } from "../../model/collections.js";
import { StoreOutageError } from "../../model/store-error.js";
import type { StoreFigures } from "../store.js";
import type { Settings } from "./connection.js";
import { isPassing } from "./engine-error.js";
import { textLiteral } from "./literals.js";
import type { Tables } from "./open-tables.js";
import { RowReader } from "./row-binary.js";
import { sqlTemplate, tableIn } from "./tables.js";

/** Response timeout for queries to all replicas, in milliseconds. */
const RESPONSE_MS = 4_000;

/** Table function and settings that query all replicas. */
interface AllReplicas {
  readonly table: string;
  readonly settings: Settings;
}

/** Checks servers and replicas, and measures tables, for operators. */
export class Health {
  readonly #tables: Tables;
  readonly #ledger: DayLedger;
  #replicas: AllReplicas | undefined;

  constructor(tables: Tables, ledger: DayLedger) {
    this.#tables = tables;
    this.#ledger = ledger;
  }

  /**
   * Checks that each shard responds.
   *
   * @throws StoreOutageError that names the servers that do not respond, if a shard does not.
   */
  async check(): Promise<void> {
    const { connection, place, settings } = this.#tables;
    try {
      await connection.read(
        `SELECT count() FROM ${tableIn(place, "entries")} WHERE project = 0`,
        settings.queries,
      );
    } catch (cause) {
      if (!isPassing(cause)) throw cause;
      const servers = describeOutage(cause, settings.shards?.byAddress ?? new Map());
      throw new StoreOutageError("ClickHouse", `checking the store failed: ${servers}`, { cause });
    }
  }

  /**
   * Returns true if each shard has enough replicas for an insert, without inserting anything.
   *
   * @throws the engine's error if a shard does not respond.
   */
  async hasImportQuorum(): Promise<boolean> {
    const {
      connection,
      place,
      settings: { shards },
    } = this.#tables;
    if (place.cluster === undefined || shards === undefined) return true;
    this.#replicas ??= await this.#allReplicas(place.cluster);
    const { table, settings } = this.#replicas;
    const sql = sqlTemplate("live-replicas.sql", place)({ ALL_REPLICAS: table });
    const rows = new RowReader(await connection.read(sql, settings, AbortSignal.timeout(RESPONSE_MS)));
    const replicas = new Map<string, Set<string>>();
    while (!rows.isAtEnd) {
      const [path, replica] = [rows.text(), rows.text()];
      replicas.set(path, (replicas.get(path) ?? new Set()).add(replica));
    }
    const reached = [...replicas.values()].filter(({ size }) => size >= shards.quorum);
    return reached.length === shards.count;
  }

  /** Measures pending work, and the tables on one replica of each shard. */
  async figures(): Promise<StoreFigures> {
    const { connection, place } = this.#tables;
    const rows = new RowReader(await connection.read(sqlTemplate("figures.sql", place)()));
    const tables = new Map<string, { readonly bytes: number; readonly rows: number }>();
    while (!rows.isAtEnd) tables.set(rows.text(), { bytes: rows.count(), rows: rows.count() });
    const bytesOf = (...names: readonly string[]): number =>
      names.reduce((sum, name) => sum + (tables.get(name)?.bytes ?? 0), 0);
    return {
      bytes: {
        states: bytesOf("message_states"),
        entries: bytesOf("entries"),
        mirrors: bytesOf("entry_versions", "responses", "response_bodies"),
      },
      messages: tables.get("message_states")?.rows ?? 0,
      ...(await this.#ledger.figures()),
    };
  }

  /** Older engines query several replicas of a shard only in the mode in which they share work. */
  async #allReplicas(cluster: string): Promise<AllReplicas> {
    const found = await this.#tables.connection.read(
      "SELECT name FROM system.table_functions WHERE name = 'clusterAllReplicas'",
    );
    const of = (name: string) => `${name}(${textLiteral(cluster)}, system, replicas)`;
    return found.length > 0
      ? { table: of("clusterAllReplicas"), settings: { skip_unavailable_shards: 1 } }
      : { table: of("cluster"), settings: { max_parallel_replicas: 1_000, prefer_localhost_replica: 0 } };
  }
}

/**
 * Matches addresses in messages such as `Connection refused (10.0.0.1:9000)`. Such a message means that one server
 * could not connect to another.
 */
const ADDRESS = /\(([^\s()]+:\d+)[^()]*\)/g;

/**
 * Describes a failed check to operators: the servers that did not respond to another server, with their shards. For any
 * other error, returns the first line of its message.
 *
 * @param shardOf shard numbers by internal address of the server.
 */
export function describeOutage(error: unknown, shardOf: ReadonlyMap<string, number>): string {
  const message = error instanceof Error ? error.message : String(error);
  const servers = new Set([...message.matchAll(ADDRESS)].map(([, address = ""]) => address));
  if (servers.size === 0) return at(message.split("\n", 1), 0);
  const named = [...servers].map((address) => {
    const shard = shardOf.get(address);
    return shard === undefined ? address : `${address} (shard ${shard})`;
  });
  return `ClickHouse does not respond at ${named.join(", ")}`;
}
