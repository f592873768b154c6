import { join } from "node:path";
import { temporaryDirectory } from "../temporary-directory.js";
import { type ClickHouseServer, chooseAddress, startClickHouse } from "./clickhouse-server.js";
import { startZooKeeper, type ZooKeeper } from "./zookeeper.js";

/** Two shards of two replicas each. */
const PLACES = [0, 1].flatMap((shard) => [0, 1].map((replica) => ({ shard, replica })));

/** A running cluster. */
export interface ClickHouseCluster {
  /** Shard by shard. */
  readonly servers: readonly ClickHouseServer[];
  readonly zooKeeper: ZooKeeper;
  /** Removes the rows of all tables of a database. */
  empty(database: string): Promise<void>;
  /** Kills everything and removes the data. */
  dispose(): Promise<void>;
}

/** The tables with rows of their own. */
const TABLES = ["message_states", "entries"];

/** Starts a cluster of Debian's packages: two shards of two replicas each, with ZooKeeper. */
export async function startCluster(): Promise<ClickHouseCluster> {
  const { path, remove } = await temporaryDirectory();
  const nodes = await Promise.all(PLACES.map(async (place) => ({ ...place, ...(await chooseAddress()) })));
  const zooKeeper = await startZooKeeper(join(path, "zookeeper"));
  const servers = await Promise.all(
    nodes.map((node) =>
      startClickHouse(join(path, `server-${node.shard}-${node.replica}`), node, nodes, zooKeeper.port),
    ),
  );
  const dispose = async (): Promise<void> => {
    await Promise.all(servers.map(({ stop }) => stop()));
    await zooKeeper.stop();
    await remove();
  };
  const empty = async (database: string): Promise<void> => {
    // One replica of each shard does it for all.
    const first = servers.filter(({ replica }) => replica === 0);
    await Promise.all(
      first.flatMap(({ url }) => TABLES.map((table) => post(url, `TRUNCATE TABLE ${database}.${table}`))),
    );
  };
  return { servers, zooKeeper, empty, dispose };
}

/** Runs a statement on one server. */
async function post(url: string, statement: string): Promise<void> {
  const response = await fetch(url, { method: "POST", body: statement });
  if (!response.ok) throw new Error(`${statement}: ${await response.text()}`);
}
