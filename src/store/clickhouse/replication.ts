import { StoreOpenError } from "../../model/store-error.js";
import type { Connection, Settings } from "./connection.js";
import { textLiteral } from "./literals.js";
import { RowReader } from "./row-binary.js";
import type { Place } from "./tables.js";

/** Maximum time that an insert waits for its quorum, in milliseconds. */
const QUORUM_MS = 10_000;

/** Engine settings with which inserts are durable and queries are consistent. */
export interface Replication {
  /**
   * Settings for inserts. An insert resolves when a quorum of replicas on each shard has its rows. In the meantime, the
   * shard rejects other inserts, because `insert_quorum_parallel` is 0. If inserts were concurrent, no replica could
   * know whether it has all rows.
   */
  readonly inserts: Settings;
  /** Settings for queries. Only replicas with all acknowledged rows respond. */
  readonly queries: Settings;
  /** Shards of a cluster. Omitted for a single server. */
  readonly shards?: Shards;
}

export interface Shards {
  readonly count: number;
  /** Number of replicas of a shard that must have a row before an insert resolves. */
  readonly quorum: number;
  /** Shard numbers by internal server address. */
  readonly byAddress: ReadonlyMap<string, number>;
}

/**
 * Determines the settings from the number of replicas in the cluster.
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
      `the ClickHouse servers have no cluster ${cluster}; set store.cluster to a cluster in their config`,
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
      // The insert resolves when the shards have the rows, and not when the first server has received them.
      insert_distributed_sync: 1,
      insert_quorum: quorum,
      insert_quorum_timeout: QUORUM_MS,
      ...(await knownOf(connection, INSERTS_OF_NEWER_ENGINES)),
    },
    // A replica outside of the quorum may lack rows. The setting causes queries to ZooKeeper, which are unnecessary if
    // all replicas belong to the quorum.
    queries: quorum < replicas ? { select_sequential_consistency: 1 } : {},
    shards: { count: replicasOf.size, quorum, byAddress },
  };
}

/**
 * Settings for inserts into tables that merge duplicate rows. Without them, replicas would drop a block that they have
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
  // 18.16 only has this mode (see `Replication.inserts`).
  insert_quorum_parallel: 0,
  // The engine must not batch rows itself, because this store already batches them in blocks that can be repeated.
  async_insert: 0,
  // Without this, each shard would keep groups only for its own rows.
  parallel_distributed_insert_select: 0,
};

/** Returns the settings in a list that the servers know. */
async function knownOf(connection: Connection, settings: Settings): Promise<Settings> {
  const names = Object.keys(settings).map(textLiteral).join(", ");
  const rows = new RowReader(
    await connection.read(`SELECT name FROM system.settings WHERE name IN (${names})`),
  );
  const known = new Set<string>();
  while (!rows.isAtEnd) known.add(rows.text());
  return Object.fromEntries(Object.entries(settings).filter(([name]) => known.has(name)));
}
