import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { runInProcess } from "../../../src/cli/testing/run-in-process.js";
import { BASE_CONFIG } from "../servers/project.js";
import { type ServerProcess, startProcess } from "../servers/server-process.js";
import { temporaryDirectory } from "../temporary-directory.js";
import { dropTables, makeTables } from "./clickhouse-cluster.js";
import { CLUSTER } from "./clickhouse-server.js";
import { freePort } from "./free-port.js";
import { type LoadBalancer, type Ports, startLoadBalancer } from "./load-balancer.js";
import { type TestDatabase, testDatabase } from "./postgres-database.js";
import { POSTGRES_PASSWORD, POSTGRES_USER } from "./postgres-server.js";
import { sharedClickHouse } from "./shared-servers.js";

const PROCESSES = 3;

export interface ProcessOptions {
  /** ClickHouse servers in its configuration; all of them by default. */
  readonly storeUrls?: readonly string[];
  /** Port for connections to PostgreSQL. By default, the server's own port. */
  readonly controlPort?: number | undefined;
  readonly nodeOptions?: readonly string[];
  /** Config keys in addition to the cluster's. */
  readonly config?: object;
}

export interface WaybillClusterOptions {
  /** PostgreSQL port. By default, a server that all specs share. */
  readonly postgresPort?: number;
  /** Options of each process by its number from 0. Called at each start. */
  readonly optionsOf?: (process: number) => ProcessOptions;
}

/** Waybill processes behind a load balancer that share stored data and control data. */
export interface WaybillCluster {
  /** The running processes, by their number from 0. */
  readonly servers: readonly ServerProcess[];
  readonly balancer: LoadBalancer;
  readonly configFile: string;
  readonly database: TestDatabase;
  /**
   * Returns an access token from `waybill token`. The token is valid for three days, because tests set clocks ahead by
   * days.
   */
  token(principal: string): Promise<string>;
  /** Starts a process again that has ended, at the same addresses. */
  restart(process: number): Promise<void>;
  /** Kills all processes, and removes their data. */
  close(): Promise<void>;
}

let clusters = 0;

/** Starts Waybill processes on a ClickHouse cluster and a PostgreSQL database. */
export async function startWaybillCluster(options: WaybillClusterOptions = {}): Promise<WaybillCluster> {
  const { path, remove } = await temporaryDirectory();
  const storeUrls = await sharedClickHouse();
  const store = `waybill_${process.pid}_${++clusters}`;
  const database = await testDatabase(options.postgresPort);
  await makeTables(storeUrls, store);
  const ports: Ports[] = [];
  for (let i = 0; i < PROCESSES; i++) ports.push(await freePorts());
  const balancer = await startLoadBalancer(join(path, "balancer"), ports);

  const passwordFile = join(path, "control-password");
  await writeFile(passwordFile, `${POSTGRES_PASSWORD}\n`);
  const configOf = ({
    storeUrls: urls = storeUrls,
    controlPort = database.port,
    config,
  }: ProcessOptions = {}) => ({
    ...BASE_CONFIG,
    ...config,
    integrityUrl: balancer.integrityUrl,
    messagingDataUrl: balancer.messagingDataUrl,
    registryUrl: balancer.registryUrl,
    store: { engine: "clickhouse", urls, database: store, cluster: CLUSTER },
    control: {
      engine: "postgres",
      url: `postgres://${POSTGRES_USER}@127.0.0.1:${controlPort}/${database.name}`,
      passwordFile,
      connections: 4,
    },
  });
  const configFile = join(path, "waybill.yaml");
  await writeFile(configFile, stringify(configOf()));

  const start = async (index: number) => {
    const ofProcess = options.optionsOf?.(index);
    const directory = join(path, `process-${index}`);
    await mkdir(directory, { recursive: true });
    const { integrity, messagingData, registry, admin } = ports[index] as Ports;
    const ownPorts = { integrity, "messaging-data": messagingData, registry, admin };
    const flags = Object.entries(ownPorts).flatMap(([listener, port]) => [`--${listener}-port`, `${port}`]);
    const server = await startProcess(directory, configOf(ofProcess), flags, ofProcess?.nodeOptions);
    // The ready line contains the load balancer's addresses.
    return {
      ...server,
      integrityUrl: `http://127.0.0.1:${integrity}`,
      messagingDataUrl: `http://127.0.0.1:${messagingData}`,
    };
  };
  const servers = await Promise.all(ports.map((_, index) => start(index)));
  return {
    servers,
    balancer,
    configFile,
    database,
    token: async (principal) => {
      const flags = ["--config", configFile, "--principal", principal, "--ttl", "72h"];
      const { stdout } = await runInProcess(["token", ...flags]);
      return stdout.trim();
    },
    restart: async (index) => {
      servers[index] = await start(index);
    },
    close: async () => {
      await balancer.stop();
      await Promise.all(servers.map((server) => server.stop("SIGKILL")));
      await database.close();
      await dropTables(storeUrls, store);
      await remove();
    },
  };
}

const freePorts = async (): Promise<Ports> => ({
  integrity: await freePort(),
  messagingData: await freePort(),
  registry: await freePort(),
  admin: await freePort(),
});
