import { StoreOpenError } from "../../model/store-error.js";
import type { Connection, Settings } from "./connection.js";
import { textLiteral } from "./literals.js";
import { RowReader } from "./row-binary.js";
import type { Place } from "./tables.js";

/** Time that an insert waits for its quorum before it fails, in milliseconds. */
const QUORUM_MS = 10_000;

/** Settings that make rows survive the loss of replicas, and readers find them. */
export interface Replication {
  /**
   * For inserts: they resolve when a quorum of the replicas of each shard has the rows. A shard rejects an insert while another one
   * waits for its quorum, as `insert_quorum_parallel` is 0: after concurrent inserts, no replica could tell whether it has all rows.
   */
  readonly inserts: Settings;
  /** For queries: only replicas answer that have all such rows. */
  readonly queries: Settings;
  /** The shards of a cluster; missing for a single server. */
  readonly shards?: Shards;
}

/** Shards of a cluster. */
export interface Shards {
  readonly count: number;
  /** Number of replicas of each shard that an insert waits for. */
  readonly quorum: number;
  /** The shards of servers, by their addresses for other servers. */
  readonly byAddress: ReadonlyMap<string, number>;
}

/**
 * Chooses the settings for a cluster by the number of replicas that its servers know.
 *
 * @throws StoreOpenError if they know no such cluster.
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
  if (rows.isAtEnd) throw new StoreOpenError(`the servers of ClickHouse know no cluster ${cluster}`);
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
      // Resolves when the shards have the rows, not when this server has taken them.
      insert_distributed_sync: 1,
      insert_quorum: quorum,
      insert_quorum_timeout: QUORUM_MS,
      ...(await knownOf(connection, INSERTS_OF_NEWER_ENGINES)),
    },
    // A replica outside of the quorum may lack rows. Asking ZooKeeper costs time, and is in vain if there is none.
    queries: quorum < replicas ? { select_sequential_consistency: 1 } : {},
    shards: { count: replicasOf.size, quorum, byAddress },
  };
}

/**
 * Settings of inserts into tables that merge repeated rows. Replicas would otherwise leave out a block that they have had before, even
 * if its rows are removed by now.
 */
export const REPEATABLE: Settings = { insert_deduplicate: 0 };

/** Returns settings of inserts that do not wait for a quorum longer than given, in milliseconds. */
export const awaitingQuorumFor = (settings: Settings, milliseconds: number): Settings =>
  settings.insert_quorum_timeout === undefined
    ? settings
    : { ...settings, insert_quorum_timeout: Math.min(QUORUM_MS, Math.floor(milliseconds)) };

/** Settings that older engines do not know, and do not need. */
const INSERTS_OF_NEWER_ENGINES: Settings = {
  // As in 18.16, which has no other way: see `Replication.inserts`.
  insert_quorum_parallel: 0,
  // Would gather the rows of inserts by itself; this store does, in blocks that can be repeated.
  async_insert: 0,
  // Would let each shard keep the groups of its own rows.
  parallel_distributed_insert_select: 0,
};

/** Returns those of the settings that the servers know. */
async function knownOf(connection: Connection, settings: Settings): Promise<Settings> {
  const names = Object.keys(settings).map(textLiteral).join(", ");
  const rows = new RowReader(
    await connection.read(`SELECT name FROM system.settings WHERE name IN (${names})`),
  );
  const known = new Set<string>();
  while (!rows.isAtEnd) known.add(rows.text());
  return Object.fromEntries(Object.entries(settings).filter(([name]) => known.has(name)));
}
