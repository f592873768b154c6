import type { Connection, Settings } from "../connection.js";
import { textLiteral } from "../literals.js";
import type { Replication } from "../replication.js";
import { RowReader } from "../row-binary.js";
import { type Place, sqlTemplate } from "../tables.js";

/** Longest time for the answers of all replicas, in milliseconds. */
const ANSWER_MS = 4_000;

/** Where to ask all replicas, and how. */
interface AllReplicas {
  readonly table: string;
  readonly settings: Settings;
}

/** Looks whether each shard has enough replicas for an insert, without inserting anything. */
export class ImportQuorum {
  readonly #connection: Connection;
  readonly #place: Place;
  readonly #replication: Replication;
  readonly #sql;
  #replicas: AllReplicas | undefined;

  constructor(connection: Connection, place: Place, replication: Replication) {
    this.#connection = connection;
    this.#place = place;
    this.#replication = replication;
    this.#sql = sqlTemplate("live-replicas.sql", place);
  }

  /**
   * Returns true if inserts reach their quorum in all shards.
   *
   * @throws the engine's error unless every shard answers.
   */
  async isReached(): Promise<boolean> {
    const { cluster } = this.#place;
    const { shards } = this.#replication;
    if (cluster === undefined || shards === undefined) return true;
    this.#replicas ??= await this.#allReplicas(cluster);
    const { table, settings } = this.#replicas;
    const rows = new RowReader(
      await this.#connection.read(
        this.#sql({ ALL_REPLICAS: table }),
        settings,
        AbortSignal.timeout(ANSWER_MS),
      ),
    );
    const replicas = new Map<string, Set<string>>();
    while (!rows.isAtEnd) {
      const [path, replica] = [rows.text(), rows.text()];
      replicas.set(path, (replicas.get(path) ?? new Set()).add(replica));
    }
    const reached = [...replicas.values()].filter(({ size }) => size >= shards.quorum);
    return reached.length === shards.count;
  }

  /** Older engines can only ask several replicas of a shard as if they shared the work. */
  async #allReplicas(cluster: string): Promise<AllReplicas> {
    const found = await this.#connection.read(
      "SELECT name FROM system.table_functions WHERE name = 'clusterAllReplicas'",
    );
    const of = (name: string) => `${name}(${textLiteral(cluster)}, system, replicas)`;
    return found.length > 0
      ? { table: of("clusterAllReplicas"), settings: { skip_unavailable_shards: 1 } }
      : { table: of("cluster"), settings: { max_parallel_replicas: 1_000, prefer_localhost_replica: 0 } };
  }
}
