import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ManualClock } from "../auth/testing/manual-clock.js";
import { systemClock } from "../model/clock.js";
import { loadConfig } from "./config/config.js";
import type { Config } from "./config/config-schema.js";
import { runDemo } from "./demo.js";
import { createLogger } from "./operators/logger.js";
import { startServer } from "./start-server.js";

const logger = createLogger("silent", systemClock);

let dataDir: string;
let config: Config;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "waybill-server-"));
  const ports = { integrityPort: 0, adminPort: 0 };
  config = await loadConfig(undefined, { dataDir, only: "integrity", demo: true, ...ports });
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Listens on any free port. */
async function occupy(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

it("closes the listeners before one whose port is in use", async () => {
  const [first, second] = [await occupy(), await occupy()];
  first.server.close();
  const starting = startServer(
    { ...config, integrityPort: first.port, adminPort: second.port },
    logger,
    systemClock,
  );
  await expect(starting).rejects.toMatchObject({ code: "EADDRINUSE", port: second.port });
  const server = await startServer({ ...config, integrityPort: first.port }, logger, systemClock);
  expect(server.parts.addresses.listening.integrityUrl).toBe(`http://127.0.0.1:${first.port}`);
  await server.close(0);
  second.server.close();
});

it("dates the tokens of the demo by the clock of the server", async () => {
  const clock = new ManualClock();
  clock.advance(-1e9);
  const server = await startServer(config, logger, clock);
  const guide = await runDemo(server);
  const token = /valid for 24 hours:\n {2}(\S+)/.exec(guide)?.[1] ?? "";
  expect(decodeJwt(token).iat).toBe(Math.floor(clock.wall() / 1_000));
  const url = /'(http[^']+)'/.exec(guide)?.[1] ?? "";
  const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  expect(status).toBe(200);
  await server.close(0);
});
