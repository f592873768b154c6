import type { TestProject } from "vitest/node";
import { loopbackServer } from "../../../src/http/testing/loopback-server.js";
import { startChromium } from "../browser/chromium.js";
import { installPackages } from "../installed-packages.js";
import { startChdb } from "./chdb.js";
import { startCluster } from "./clickhouse-cluster.js";
import { postgresServer } from "./postgres-server.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Origin of the server that starts shared servers. */
    sharedServers: string;
  }
}

/** A server, or installed packages, that specs share. */
interface SharedServer {
  /** Address that specs connect to, or package folders. */
  readonly address: unknown;
  close(): Promise<void>;
}

/** Functions that start each kind of server. */
const STARTS = {
  postgres: async () => {
    const { port, close } = await postgresServer();
    return { address: port, close };
  },
  chdb: async () => {
    const { url, dispose } = await startChdb();
    return { address: url, close: dispose };
  },
  clickHouse: async () => {
    const { servers, dispose } = await startCluster();
    return { address: servers.map(({ url }) => url), close: dispose };
  },
  chromium: async () => {
    const server = await startChromium();
    return { address: server.wsEndpoint(), close: () => server.close() };
  },
  packages: installPackages,
} satisfies Record<string, () => Promise<SharedServer>>;

type Name = keyof typeof STARTS;
/** Addresses of the shared servers, and package folders. */
export type SharedAddresses = { [Shared in Name]: Awaited<ReturnType<(typeof STARTS)[Shared]>>["address"] };

/**
 * Shares databases, a browser and installed packages among all specs of a run. Each starts when it is first used, and
 * ends with the run.
 */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<SharedServer>>();
  const { origin, close } = await loopbackServer((request, response) => {
    const name = (request.url ?? "").slice(1) as Name;
    const server = started.get(name) ?? STARTS[name]();
    started.set(name, server);
    // The server would otherwise close an idle connection just when a spec reuses it.
    response.setHeader("connection", "close");
    server.then(
      ({ address }) => response.end(JSON.stringify(address)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  provide("sharedServers", origin);
  return async () => {
    await close();
    const servers = await Promise.allSettled(started.values());
    await Promise.all(servers.map((server) => server.status === "fulfilled" && server.value.close()));
  };
}
