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

/** Longest time for the answers of all replicas, in milliseconds. */
const ANSWER_MS = 4_000;

/** Where to ask all replicas, and how. */
interface AllReplicas {
  readonly table: string;
  readonly settings: Settings;
}

/** Answers operators: whether servers respond, whether imports can be stored, and how large the tables are. */
export class Health {
  readonly #tables: Tables;
  readonly #ledger: DayLedger;
  #replicas: AllReplicas | undefined;

  constructor(tables: Tables, ledger: DayLedger) {
    this.#tables = tables;
    this.#ledger = ledger;
  }

  /** @throws StoreOutageError with the servers that do not respond, unless every shard does. */
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
      throw new StoreOutageError("ClickHouse", `asking the store failed: ${servers}`, { cause });
    }
  }

  /**
   * Returns true if each shard has enough replicas for an insert, without inserting anything.
   *
   * @throws the engine's error unless every shard answers.
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
    const rows = new RowReader(await connection.read(sql, settings, AbortSignal.timeout(ANSWER_MS)));
    const replicas = new Map<string, Set<string>>();
    while (!rows.isAtEnd) {
      const [path, replica] = [rows.text(), rows.text()];
      replicas.set(path, (replicas.get(path) ?? new Set()).add(replica));
    }
    const reached = [...replicas.values()].filter(({ size }) => size >= shards.quorum);
    return reached.length === shards.count;
  }

  /** Reads the size of the tables, on one replica of each shard, and of the unfinished work. */
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
        mirrors: bytesOf("entry_versions", "answers", "answer_bodies"),
      },
      messages: tables.get("message_states")?.rows ?? 0,
      ...(await this.#ledger.figures()),
    };
  }

  /** Older engines can only ask several replicas of a shard as if they shared the work. */
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

/** Addresses of servers to which another server could not connect, such as `Connection refused (10.0.0.1:9000)`. */
const ADDRESS = /\(([^\s()]+:\d+)[^()]*\)/g;

/**
 * Returns the error of a check for operators: the servers that did not answer another server, with their shard, or the
 * first line of the error.
 *
 * @param shardOf the shards of servers, by their addresses for other servers.
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
