import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

describe("the admin listener", () => {
  const withServer = async (changes: Partial<Config>, use: (adminUrl: string) => Promise<void>) => {
    const server = await startServer({ ...config, ...changes }, logger, systemClock);
    try {
      await use(server.parts.addresses.listening.adminUrl ?? "");
    } finally {
      await server.close(0);
    }
  };
  const statusOf = async (adminUrl: string, token: string): Promise<number> =>
    (await fetch(`${adminUrl}/clock`, { headers: { authorization: `Bearer ${token}` } })).status;
  const file = () => join(dataDir, "admin-token");
  /** The token is right, and the clock cannot be turned. */
  const ACCEPTED = 409;

  it("listens on loopback, whatever the host of the services is", async () => {
    await withServer({ host: "0.0.0.0" }, async (adminUrl) => {
      expect(new URL(adminUrl).hostname).toBe("127.0.0.1");
    });
    await withServer({ adminHost: "::1" }, async (adminUrl) => {
      expect(new URL(adminUrl).hostname).toBe("[::1]");
    });
  });

  it("needs the token of a file that only its owner may read, and that later starts keep", async () => {
    let token = "";
    await withServer({}, async (adminUrl) => {
      token = (await readFile(file(), "utf8")).trim();
      expect(token.length).toBeGreaterThanOrEqual(32);
      expect((await stat(file())).mode & 0o777).toBe(0o600);
      expect(await statusOf(adminUrl, token)).toBe(ACCEPTED);
      expect(await statusOf(adminUrl, `${token}x`)).toBe(401);
    });
    await withServer({}, async (adminUrl) => expect(await statusOf(adminUrl, token)).toBe(ACCEPTED));
  });

  it("needs the token of admin.tokenFile, and then makes none", async () => {
    const tokenFile = join(dataDir, "mine");
    await writeFile(tokenFile, "a-token-of-my-own\n");
    await withServer({ admin: { hosts: [], tokenFile } }, async (adminUrl) => {
      expect(await statusOf(adminUrl, "a-token-of-my-own")).toBe(ACCEPTED);
      await expect(stat(file())).rejects.toThrow("ENOENT");
    });
  });

  it.each([
    ["is missing", undefined, "cannot be read: ENOENT"],
    ["is empty", "", "must contain a token of at least 16 printable characters"],
    ["has a short token", "short", "must contain a token"],
    ["has several words", "a token that has words", "must contain a token"],
  ])("rejects an admin.tokenFile that %s", async (_, text, problem) => {
    const tokenFile = join(dataDir, "mine");
    if (text !== undefined) await writeFile(tokenFile, text);
    const starting = startServer({ ...config, admin: { hosts: [], tokenFile } }, logger, systemClock);
    await expect(starting).rejects.toThrow(`admin.tokenFile: ${tokenFile} ${problem}`);
  });
});
