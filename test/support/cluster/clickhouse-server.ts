import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { need } from "../needs.js";
import { type DebianProcess, spawnProcess } from "./debian-process.js";
import { freePort } from "./free-port.js";

need("clickhouse-server");

export interface ClickHouseAddress {
  readonly httpPort: number;
  readonly tcpPort: number;
  readonly interserverPort: number;
}

/** Shard and replica of the server, numbered from 0. */
export interface ClickHouseNode extends ClickHouseAddress {
  readonly shard: number;
  readonly replica: number;
}

export interface ClickHouseServer extends ClickHouseNode {
  readonly url: string;
  readonly directory: string;
  readonly pid: () => number;
  /** Kills it. */
  stop(): Promise<void>;
  /** Starts it again, with the same data and ports. */
  start(): Promise<void>;
}

/** The cluster's ZooKeeper, and its session timeout. */
export interface ZooKeeperSessions {
  readonly port: number;
  /** Session timeout of a server, in milliseconds. */
  readonly sessionMs: number;
}

/** Name of the cluster in the servers' configuration. */
export const CLUSTER = "waybill";

export async function chooseAddress(): Promise<ClickHouseAddress> {
  const [httpPort, tcpPort, interserverPort] = [await freePort(), await freePort(), await freePort()];
  return { httpPort, tcpPort, interserverPort };
}

/** Starts Debian's server in its own directory. */
export async function startClickHouse(
  directory: string,
  node: ClickHouseNode,
  nodes: readonly ClickHouseNode[],
  zooKeeper: ZooKeeperSessions,
): Promise<ClickHouseServer> {
  await mkdir(directory, { recursive: true });
  const config = join(directory, "config.xml");
  await writeFile(config, configOf(directory, node, nodes, zooKeeper));
  await writeFile(join(directory, "users.xml"), USERS);
  let server: DebianProcess;
  const start = async (): Promise<void> => {
    server = spawnProcess("clickhouse-server", [`--config-file=${config}`]);
    await server.listens(node.httpPort);
  };
  await start();
  return {
    ...node,
    url: `http://127.0.0.1:${node.httpPort}`,
    directory,
    pid: () => server.pid,
    start,
    stop: () => server.kill(),
  };
}

function configOf(
  directory: string,
  node: ClickHouseNode,
  nodes: readonly ClickHouseNode[],
  { port, sessionMs }: ZooKeeperSessions,
): string {
  const shards = [...new Set(nodes.map(({ shard }) => shard))].map((shard) => {
    const replicas = nodes
      .filter((other) => other.shard === shard)
      .map(({ tcpPort }) => `<replica><host>127.0.0.1</host><port>${tcpPort}</port></replica>`);
    return `<shard><internal_replication>true</internal_replication>${replicas.join("")}</shard>`;
  });
  return `<yandex>
  <logger><level>warning</level><log>${directory}/log</log><errorlog>${directory}/errors</errorlog></logger>
  <http_port>${node.httpPort}</http_port>
  <tcp_port>${node.tcpPort}</tcp_port>
  <interserver_http_port>${node.interserverPort}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <listen_host>127.0.0.1</listen_host>
  <path>${directory}/data/</path>
  <tmp_path>${directory}/tmp/</tmp_path>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
  <mark_cache_size>67108864</mark_cache_size>
  <merge_tree>
    <!-- What a fetch that is cut leaves keeps the replica from fetching that part again, by default for a day. -->
    <temporary_directories_lifetime>10</temporary_directories_lifetime>
    <cleanup_delay_period>10</cleanup_delay_period>
  </merge_tree>
  <zookeeper>
    <node><host>127.0.0.1</host><port>${port}</port></node>
    <session_timeout_ms>${sessionMs}</session_timeout_ms>
  </zookeeper>
  <macros><shard>${node.shard}</shard><replica>${node.replica}</replica></macros>
  <remote_servers><${CLUSTER}>${shards.join("")}</${CLUSTER}></remote_servers>
  <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
</yandex>
`;
}

const USERS = `<yandex>
  <profiles><default></default></profiles>
  <users><default>
    <password></password>
    <networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile>
    <quota>default</quota>
  </default></users>
  <quotas><default></default></quotas>
</yandex>
`;
