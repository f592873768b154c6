import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { need } from "../needs.js";
import { poll } from "../poll.js";
import { type DebianProcess, spawnProcess } from "./debian-process.js";
import { freePort } from "./free-port.js";

need("zookeeper");

export interface ZooKeeper {
  readonly port: number;
  /** Kills it. */
  stop(): Promise<void>;
  /** Starts it again, with the same data and port. */
  start(): Promise<void>;
}

/** Starts Debian's ZooKeeper in its own directory, as a single server. */
export async function startZooKeeper(directory: string): Promise<ZooKeeper> {
  const port = await freePort();
  const config = join(directory, "zoo.cfg");
  await mkdir(join(directory, "data"), { recursive: true });
  await writeFile(
    config,
    [
      // Half a second, a quarter of the default. Expired sessions are removed at the next tick.
      "tickTime=500",
      // Maximum session timeout that a server may request, in milliseconds. The default is 20 ticks, here ten seconds.
      "maxSessionTimeout=60000",
      `dataDir=${join(directory, "data")}`,
      `clientPort=${port}`,
      "clientPortAddress=127.0.0.1",
      "admin.enableServer=false",
      "maxClientCnxns=0",
      // No `fsync`: test data in the page cache survives a kill of the process.
      "forceSync=no",
    ].join("\n"),
  );
  let server: DebianProcess;
  const start = async (): Promise<void> => {
    server = spawnProcess("java", [
      "-Xmx256m",
      "-XX:TieredStopAtLevel=1",
      "-XX:+UseSerialGC",
      "-Dzookeeper.forceSync=no",
      "-cp",
      "/etc/zookeeper/conf_example:/usr/share/java/zookeeper.jar",
      "org.apache.zookeeper.server.quorum.QuorumPeerMain",
      config,
    ]);
    await server.listens(port);
    // ZooKeeper accepts connections before it can handle requests.
    await poll(
      () => statusOf(port),
      (status) => status.includes("Mode: standalone"),
    );
  };
  await start();
  return { port, start, stop: () => server.kill() };
}

/** Time limit for a response: a starting server may accept a connection and never serve it. */
const MAX_STATUS_MS = 1_000;

/** Requests the status. Empty if there is no response. */
async function statusOf(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.setTimeout(MAX_STATUS_MS, () => socket.destroy());
  let status = "";
  try {
    socket.end("srvr");
    for await (const chunk of socket) status += String(chunk);
  } catch {
    // The connection was rejected, or closed or silent before a response.
  }
  return status;
}
