import { StoreOpenError } from "../../model/store-error.js";
import type { Connection, Settings } from "./connection.js";
import { textLiteral } from "./literals.js";
import { RowReader } from "./row-binary.js";
import type { Place } from "./tables.js";

/** Time that an insert waits for its quorum before it fails, in milliseconds. */
const QUORUM_MS = 10_000;

/** Settings that make rows survive the loss of replicas, and readers find them. */
export interface Replication {
  /** For inserts: they resolve when a quorum of the replicas of each shard has the rows. */
  readonly inserts: Settings;
  /** For queries: only replicas answer that have all such rows. */
  readonly queries: Settings;
}

/**
 * Chooses the settings for a cluster by the number of replicas that its servers know.
 *
 * @throws StoreOpenError if they know no such cluster.
 */
export async function replicationOf(connection: Connection, { cluster }: Place): Promise<Replication> {
  if (cluster === undefined) return { inserts: {}, queries: {} };
  const rows = new RowReader(
    await connection.read(
      `SELECT toUInt64(count()) AS replicas FROM system.clusters WHERE cluster = ${textLiteral(cluster)}
       GROUP BY shard_num ORDER BY replicas DESC LIMIT 1`,
    ),
  );
  if (rows.isAtEnd) throw new StoreOpenError(`the servers of ClickHouse know no cluster ${cluster}`);
  const replicas = rows.count();
  const quorum = Math.floor(replicas / 2) + 1;
  const serial = await serialQuorum(connection);
  return {
    inserts: {
      // Resolves when the shards have the rows, not when this server has taken them.
      insert_distributed_sync: 1,
      insert_quorum: quorum,
      insert_quorum_timeout: QUORUM_MS,
      ...serial,
    },
    // A replica outside of the quorum may lack rows. Asking ZooKeeper costs time, and is in vain if there is none.
    queries: quorum < replicas ? { select_sequential_consistency: 1 } : {},
  };
}

/**
 * Engines since 20.10 accept concurrent inserts with a quorum, after which a query cannot tell whether its replica
 * has all of them. Older ones do not know the setting.
 */
async function serialQuorum(connection: Connection): Promise<Settings> {
  const known = await connection.read(
    "SELECT name FROM system.settings WHERE name = 'insert_quorum_parallel'",
  );
  return known.length > 0 ? { insert_quorum_parallel: 0 } : {};
}
