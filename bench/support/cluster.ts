import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { systemClock } from "#dist/model/clock.js";
import { ClickHouseStore } from "#dist/store/clickhouse/clickhouse-store.js";
import type { Place } from "#dist/store/clickhouse/tables.js";
import { ProcessDayLedger } from "../../src/control/testing/process-day-ledger.js";
import { packagePath } from "../../test/support/package-path.js";
import { issueToken } from "../../test/support/servers/serve-process.js";

const EXAMPLE = packagePath("examples/cluster");
const UP = join(EXAMPLE, "up");
const CONFIGURATION = "clickhouse.xml";

/** Addresses in `examples/cluster`, with ports that must be free. Two shards of two replicas each. */
export const CLICKHOUSE = [18_123, 18_124, 18_125, 18_126].map((port) => `http://127.0.0.1:${port}`);
export const MESSAGING_DATA = [18_081, 28_081].map((port) => `http://127.0.0.1:${port}`);
export const ADMIN = [19_090, 29_090].map((port) => `http://127.0.0.1:${port}`);
/** Ports on which the ClickHouse servers communicate with each other. */
export const NODE_PORTS = [19_000, 19_001, 19_002, 19_003, 19_010, 19_011, 19_012, 19_013];

export const CLUSTER = "waybill";
const USER = "waybill";

export interface Cluster {
  readonly directory: string;
  readonly password: string;
  stop(): Promise<void>;
}

/** Changes the ClickHouse servers' configuration. */
export type Layout = (configuration: string) => string;

/** Configures each server as a separate shard. */
export const FOUR_SHARDS: Layout = (configuration) =>
  configuration
    .replace('<shard from_env="SHARD"/>', '<shard from_env="SERVER"/>')
    .replaceAll(
      /<\/replica>(?=\s*<replica>)/g,
      "</replica></shard><shard><internal_replication>true</internal_replication>",
    );

/** Starts the cluster with all its data in `directory`. */
export async function startCluster(directory: string, layout?: Layout): Promise<Cluster> {
  if (layout !== undefined) {
    mkdirSync(directory);
    // The cluster keeps existing files.
    writeFileSync(join(directory, CONFIGURATION), layout(readFileSync(join(EXAMPLE, CONFIGURATION), "utf8")));
  }
  const child = spawn(UP, [directory], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const kill = (): boolean => child.kill();
  process.once("exit", kill);
  const [ready] = (await Promise.race([once(createInterface(child.stdout), "line"), exited])) as [unknown];
  if (typeof ready !== "string") throw new Error(`the cluster did not start; see the logs in ${directory}`);
  return {
    directory,
    password: readFileSync(join(directory, "password"), "utf8"),
    stop: async () => {
      process.off("exit", kill);
      await stop(child, exited);
    },
  };
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill();
  await exited;
}

/** Runs a statement at a server of ClickHouse; returns its response. @throws Error with the server's message. */
export async function runAt(
  url: string,
  { password }: Cluster,
  statement: string | Buffer<ArrayBuffer>,
): Promise<Buffer> {
  const headers = { "X-ClickHouse-User": USER, "X-ClickHouse-Key": password };
  const response = await fetch(`${url}/?wait_end_of_query=1`, { method: "POST", headers, body: statement });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(bytes.toString());
  return bytes;
}

/** Arguments of `clickhouse-client` for the first server. */
export const clientArgs = ({ password }: Cluster): readonly string[] => [
  ...["--host=127.0.0.1", `--port=${NODE_PORTS[0]}`],
  ...[`--user=${USER}`, `--password=${password}`],
];

/** Creates an access token that all processes accept. */
export const tokenOf = ({ directory }: Cluster): Promise<string> =>
  issueToken(["--config", join(directory, "waybill.yaml"), "--ttl", "12h"]);

/** Opens a store in a separate database of the cluster, for this process only. */
export const openStore = (
  { password }: Cluster,
  urls: readonly string[],
  place: Place,
): Promise<ClickHouseStore> =>
  ClickHouseStore.open({
    ...place,
    ...{ urls, username: USER, password },
    ledger: new ProcessDayLedger(systemClock),
  });
