import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, it, test } from "vitest";
import { testDirectory } from "../../test/support/test-directory.js";
import { ManualClock } from "../auth/testing/manual-clock.js";
import { RECORD_KINDS } from "../control/records.js";
import { Role, Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { NO_EMULATION } from "../messaging-data/emulation/emulation.js";
import { systemClock } from "../model/clock.js";
import { signSubjectToken } from "../oauth/subject-token.js";
import { policyKey } from "../registry/entries.js";
import { loadConfig } from "./config/config.js";
import type { Config } from "./config/config-schema.js";
import { DEMO_CONFIG, DEMO_PRINCIPAL } from "./config/demo-config.js";
import { runDemo } from "./demo.js";
import { createLogger, loggerTo } from "./operators/logger.js";
import { startServer } from "./start-server.js";

const logger = createLogger("silent", systemClock);

let dataDir: string;
let config: Config;
beforeEach(async () => {
  dataDir = await testDirectory();
  const ports = { integrityPort: 0, adminPort: 0 };
  config = await loadConfig(undefined, { dataDir, only: "integrity", demo: true, ...ports });
});

/** Listens on any free port. */
async function occupy(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

it("a server that cannot use a port closes its other listeners", async () => {
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

describe("a starting server", () => {
  const ADA: Config["access"][number] = { principal: "ada@example.com", projects: ["*"], role: Role.VIEWER };

  /** Starts a server without the demo. @returns its warnings. */
  async function warningsWith(changes: Partial<Config>): Promise<readonly string[]> {
    const warnings: string[] = [];
    const log = loggerTo({ write: (line) => void warnings.push(JSON.parse(line).msg) }, "warn", systemClock);
    const server = await startServer(
      { ...config, demo: false, projects: [], access: [], ...changes },
      log,
      systemClock,
    );
    await server.close(0);
    return warnings;
  }

  it("logs one warning with the remedy if no principal has access", async () => {
    expect(await warningsWith({})).toEqual([
      "no principal has access: set access in the config file and pass it with --config, or try --demo",
    ]);
  });

  it("does not log this warning if the config file grants a role", async () => {
    expect(await warningsWith({ access: [ADA] })).toEqual([]);
    expect(await warningsWith({ projects: config.projects, access: config.access })).toEqual([]);
  });

  it("does not log this warning if the control data grants a role", async () => {
    const server = await startServer(config, logger, systemClock);
    const value = { bindings: [{ role: "roles/viewer", members: ["user:ada@example.com"] }] };
    await server.parts.control.records.change([{ kind: RECORD_KINDS.registry, key: policyKey("7"), value }]);
    await server.close(0);
    expect(await warningsWith({})).toEqual([]);
  });
});

it("a server dates demo tokens by its own clock", async () => {
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
  /** The token is valid, but the clock is not adjustable. */
  const ACCEPTED = 409;

  it("listens on loopback regardless of the services' host", async () => {
    await withServer({ host: "0.0.0.0" }, async (adminUrl) => {
      expect(new URL(adminUrl).hostname).toBe("127.0.0.1");
    });
    await withServer({ adminHost: "::1" }, async (adminUrl) => {
      expect(new URL(adminUrl).hostname).toBe("[::1]");
    });
  });

  it("needs the token in a file that only its owner can read, and later starts use the same token", async () => {
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

  it("needs the token in admin.tokenFile if it is set, and then creates no other token", async () => {
    const tokenFile = join(dataDir, "mine");
    await writeFile(tokenFile, "a-token-of-my-own\n");
    await withServer({ admin: { hosts: [], tokenFile } }, async (adminUrl) => {
      expect(await statusOf(adminUrl, "a-token-of-my-own")).toBe(ACCEPTED);
      await expect(stat(file())).rejects.toThrow("ENOENT");
    });
  });

  it.each([
    ["is missing", undefined, "cannot be read: there is no such file"],
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

test.each([
  ["to the second with a lifetime of the emulation", 90_000, [200, 401, 401]],
  ["with a minute of leeway otherwise", undefined, [200, 200, 401]],
])("an access token from the token exchange expires %s", async (_, tokenLifetime, expected) => {
  const clock = new ManualClock();
  const emulation = { ...NO_EMULATION, tokenLifetime };
  const messagingData = { ...config.messagingData, emulation };
  const server = await startServer({ ...config, messagingData }, logger, clock);
  const { localIssuer, scopeNames, addresses } = server.parts;
  if (localIssuer === undefined) throw new Error("there is no local issuer");
  const scopes = [scopeNames.nameOf(Scope.PLATFORM)];
  const subject = { principal: DEMO_PRINCIPAL, scopes, ttlSeconds: 86_400 };
  const url = addresses.listening.integrityUrl;
  const exchanged = await fetch(`${url}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token: await signSubjectToken(localIssuer, subject),
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    }),
  });
  const { access_token, expires_in } = (await exchanged.json()) as Record<string, unknown>;
  const [project] = DEMO_CONFIG.projects;
  const target = `${url}/v1/projects/${project.id}/apps/${project.apps[0].id}/appAttestConfig`;
  const statuses: number[] = [];
  for (const milliseconds of [Number(expires_in) * 1_000 - 1_000, 1_000, 60_000]) {
    clock.advance(milliseconds);
    const { status } = await fetch(target, { headers: { authorization: `Bearer ${access_token}` } });
    statuses.push(status);
  }
  expect(statuses).toEqual(expected);
  await server.close(0);
});

it("a server that drains connections serves requests, and is not ready", async () => {
  const server = await startServer({ ...config, drainTime: 3_600_000 }, logger, systemClock);
  const { adminUrl, integrityUrl } = server.parts.addresses.listening;
  expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
  void server.drain();
  expect((await fetch(`${adminUrl}/readyz`)).status).toBe(503);
  const { status, headers } = await fetch(`${integrityUrl}/v1/projects/x/apps/y/appAttestConfig`);
  expect([status, headers.get("connection")]).toEqual([401, "close"]);
  await server.close(0);
});

it("a server does not drain connections unless this is configured", async () => {
  const server = await startServer(config, logger, systemClock);
  await server.drain();
  expect((await fetch(`${server.parts.addresses.listening.adminUrl}/readyz`)).status).toBe(200);
  await server.close(0);
});
