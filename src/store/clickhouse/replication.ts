import { StoreOpenError } from "../../model/store-error.js";
import type { Connection, Settings } from "./connection.js";
import { textLiteral } from "./literals.js";
import { RowReader } from "./row-binary.js";
import type { Place } from "./tables.js";

/** Time that an insert waits for its quorum, in milliseconds. */
const QUORUM_MS = 10_000;

/** Settings for durable inserts and consistent queries. */
export interface Replication {
  /**
   * Settings for inserts. An insert resolves when a quorum of replicas has its rows on each shard. A shard rejects
   * other inserts in the meantime, because `insert_quorum_parallel` is 0. After concurrent inserts, no replica
   * could know whether it has all rows.
   */
  readonly inserts: Settings;
  /** Settings for queries. Only replicas with all acknowledged rows respond. */
  readonly queries: Settings;
  /** Shards of a cluster. Omitted for a single server. */
  readonly shards?: Shards;
}

/** Shards of a cluster. */
export interface Shards {
  readonly count: number;
  /** Number of replicas per shard that an insert waits for. */
  readonly quorum: number;
  /** Shard numbers by internal server address. */
  readonly byAddress: ReadonlyMap<string, number>;
}

/**
 * Chooses settings by the number of replicas in the cluster.
 *
 * @throws StoreOpenError if the servers do not know the cluster.
 */
export async function replicationOf(connection: Connection, { cluster }: Place): Promise<Replication> {
  if (cluster === undefined)
    return { inserts: await knownOf(connection, INSERTS_OF_NEWER_ENGINES), queries: {} };
  const rows = new RowReader(
    await connection.read(
      `SELECT toUInt64(shard_num), concat(host_name, ':', toString(port)), concat(host_address, ':', toString(port))
       FROM system.clusters WHERE cluster = ${textLiteral(cluster)}`,
    ),
  );
  if (rows.isAtEnd)
    throw new StoreOpenError(
      `the ClickHouse servers know no cluster ${cluster}; set store.cluster to a cluster of their config`,
    );
  const replicasOf = new Map<number, number>();
  const byAddress = new Map<string, number>();
  while (!rows.isAtEnd) {
    const shard = rows.count();
    replicasOf.set(shard, (replicasOf.get(shard) ?? 0) + 1);
    for (const address of [rows.text(), rows.text()]) byAddress.set(address, shard);
  }
  const replicas = Math.max(...replicasOf.values());
  const quorum = Math.floor(replicas / 2) + 1;
  return {
    inserts: {
      // Resolves when the shards have the rows, not when this server has received them.
      insert_distributed_sync: 1,
      insert_quorum: quorum,
      insert_quorum_timeout: QUORUM_MS,
      ...(await knownOf(connection, INSERTS_OF_NEWER_ENGINES)),
    },
    // A replica outside the quorum may lack rows. The setting queries ZooKeeper, which is useless if there is no
    // such replica.
    queries: quorum < replicas ? { select_sequential_consistency: 1 } : {},
    shards: { count: replicasOf.size, quorum, byAddress },
  };
}

/**
 * Settings for inserts into tables that merge duplicate rows. Otherwise replicas would drop a block that they have
 * received before, even if its rows have been removed since.
 */
export const REPEATABLE: Settings = { insert_deduplicate: 0 };

/** Returns insert settings with a shorter quorum timeout, in milliseconds. */
export const awaitingQuorumFor = (settings: Settings, milliseconds: number): Settings =>
  settings.insert_quorum_timeout === undefined
    ? settings
    : { ...settings, insert_quorum_timeout: Math.min(QUORUM_MS, Math.floor(milliseconds)) };

/** Settings that older engines neither know nor need. */
const INSERTS_OF_NEWER_ENGINES: Settings = {
  // The only mode in 18.16 (see `Replication.inserts`).
  insert_quorum_parallel: 0,
  // The engine would batch rows itself. This store already batches them, in blocks that can be repeated.
  async_insert: 0,
  // Each shard would keep groups for its own rows.
  parallel_distributed_insert_select: 0,
};

/** Returns the settings that the servers know. */
async function knownOf(connection: Connection, settings: Settings): Promise<Settings> {
  const names = Object.keys(settings).map(textLiteral).join(", ");
  const rows = new RowReader(
    await connection.read(`SELECT name FROM system.settings WHERE name IN (${names})`),
  );
  const known = new Set<string>();
  while (!rows.isAtEnd) known.add(rows.text());
  return Object.fromEntries(Object.entries(settings).filter(([name]) => known.has(name)));
}
