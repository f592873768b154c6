import { join } from "node:path";
import { allStatements } from "../../../src/store/clickhouse/migrate.js";
import { onCluster } from "../../../src/store/clickhouse/tables.js";
import { temporaryDirectory } from "../temporary-directory.js";
import { CLUSTER, type ClickHouseServer, chooseAddress, startClickHouse } from "./clickhouse-server.js";
import { runStatement } from "./run-statement.js";
import { startZooKeeper, type ZooKeeper } from "./zookeeper.js";

export interface ClusterOptions {
  /** Number of shards; 2 by default. */
  readonly shards?: number;
  /** Number of replicas of each shard; 2 by default. */
  readonly replicas?: number;
  /** ZooKeeper session timeout of the servers, in milliseconds; 30,000 by default, as in ClickHouse. */
  readonly sessionMs?: number;
}

export interface ClickHouseCluster {
  /** Shard by shard. */
  readonly servers: readonly ClickHouseServer[];
  readonly zooKeeper: ZooKeeper;
  /** Kills all servers and removes their data. */
  dispose(): Promise<void>;
}

/** Starts a cluster with Debian's packages of ClickHouse and ZooKeeper. */
export async function startCluster({
  shards = 2,
  replicas = 2,
  sessionMs = 30_000,
}: ClusterOptions = {}): Promise<ClickHouseCluster> {
  const { path, remove } = await temporaryDirectory();
  const places = Array.from({ length: shards * replicas }, (_, i) => ({
    shard: Math.floor(i / replicas),
    replica: i % replicas,
  }));
  const nodes = await Promise.all(places.map(async (place) => ({ ...place, ...(await chooseAddress()) })));
  const zooKeeper = await startZooKeeper(join(path, "zookeeper"));
  const servers = await Promise.all(
    nodes.map((node) =>
      startClickHouse(join(path, `server-${node.shard}-${node.replica}`), node, nodes, {
        port: zooKeeper.port,
        sessionMs,
      }),
    ),
  );
  const dispose = async (): Promise<void> => {
    await Promise.all(servers.map(({ stop }) => stop()));
    await zooKeeper.stop();
    await remove();
  };
  return { servers, zooKeeper, dispose };
}

/**
 * Creates a store's tables in a database in the same way as the store, but without the pauses of cluster-wide
 * statements.
 */
export async function makeTables(urls: readonly string[], database: string): Promise<void> {
  const place = { database, cluster: CLUSTER };
  const statements = await allStatements(place);
  await onEach(urls, async (url) => {
    for (const statement of statements) await runStatement(url, statement.replace(onCluster(place), ""));
  });
}

/** Removes a database. */
export const dropTables = (urls: readonly string[], database: string): Promise<void> =>
  onEach(urls, async (url) => {
    await runStatement(url, `DROP DATABASE IF EXISTS ${database}`);
  });

async function onEach(urls: readonly string[], work: (url: string) => Promise<void>): Promise<void> {
  await Promise.all(urls.map(work));
}
