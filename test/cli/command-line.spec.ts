import { once } from "node:events";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { stringify } from "yaml";
import { type OpenServer, openServer } from "../support/open-server.js";
import { BASE_CONFIG, startServer, temporaryDirectory, VIEWER, waybill } from "../support/waybill.js";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: OpenServer;
beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await openServer();
});
afterAll(async () => {
  await server.close();
  await directory.remove();
});

const path = (name: string): string => join(directory.path, name);
const ANY_PORTS = ["--integrity-port", "0", "--messaging-data-port", "0", "--admin-port", "0"];

/** Runs a command that must fail, and returns the single line that explains why. */
async function failure(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await waybill(args);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  return stderr.trimEnd();
}

const serveFailure = (dataDir: string, ...args: string[]): Promise<string> =>
  failure("serve", "--data-dir", path(dataDir), ...ANY_PORTS, ...args);

async function configFile(name: string, content: object | string): Promise<string> {
  await writeFile(path(name), typeof content === "string" ? content : stringify(content));
  return path(name);
}

describe("waybill", () => {
  test.each(["serve", "token", "import", "get", "list", "simulate"])(
    "shows an example in the help of %s",
    async (command) => {
      const { code, stdout } = await waybill([command, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`Examples?:\\n  \\$ .*waybill ${command} `));
      expect((await waybill(["--help"])).stdout).toContain(`  ${command} `);
    },
  );

  it("prints its version", async () => {
    expect((await waybill(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    [["serve", "--nonsense"], /unknown option '--nonsense'/],
    [["serve", "--admin-port", "70000"], /--admin-port.*0 to 65535/],
    [["serve", "--only", "both"], /--only.*integrity, messaging-data/],
    [["token", "--scope", "all"], /--scope.*platform, app-platform/],
    [["token", "--ttl", "soon"], /--ttl.*30m/],
    [["import", "--project", "p"], /missing required argument 'file'/],
    [["deliver"], /unknown command 'deliver'/],
  ])("names the wrong argument in %j", async (args, message) => {
    const { code, stderr } = await waybill(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe("waybill serve", () => {
  it("prints its addresses when it is ready", async () => {
    const names = ["integrityUrl", "messagingDataUrl", "adminUrl"] as const;
    for (const name of names) expect(server[name]).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(new Set(names.map((name) => server[name])).size).toBe(3);
  });

  it("names a port that is in use", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as { port: number };
    expect(await serveFailure("port", "--messaging-data-port", String(port))).toMatch(
      new RegExp(`EADDRINUSE.*127\\.0\\.0\\.1:${port}`),
    );
    holder.close();
  });

  it("reports that another process uses the data directory", async () => {
    const line = await failure("serve", "--data-dir", server.dataDir, ...ANY_PORTS);
    expect(line).toBe(
      `waybill: the data directory ${server.dataDir} is in use by another process (${server.process.pid})`,
    );
  });

  it("reports a file in place of the data directory", async () => {
    await writeFile(path("a-file"), "");
    expect(await serveFailure("a-file")).toContain(path("a-file"));
  });

  it("reports that the data directory cannot be created", async () => {
    await writeFile(path("in-the-way"), "");
    expect(await serveFailure("in-the-way/data")).toContain(path("in-the-way/data"));
  });

  it("names a damaged key of the local issuer", async () => {
    await mkdir(path("damaged/keys"), { recursive: true });
    await writeFile(path("damaged/keys/local-issuer.jwk"), "{}");
    expect(await serveFailure("damaged")).toContain(path("damaged/keys/local-issuer.jwk"));
  });

  it("names a damaged page-token key", async () => {
    await mkdir(path("damaged-too/keys"), { recursive: true });
    await writeFile(path("damaged-too/keys/page-token.key"), "x");
    expect(await serveFailure("damaged-too")).toContain(path("damaged-too/keys/page-token.key"));
  });

  it("names a damaged database", async () => {
    await mkdir(path("no-database"));
    await writeFile(path("no-database/waybill.duckdb"), "nothing ".repeat(10_000));
    expect(await serveFailure("no-database")).toContain(path("no-database"));
  });

  test.each([
    ["an unknown key", { hots: "x" }, "hots: is not a known key"],
    [
      "a bad value",
      { messagingData: { import: { maxConcurrent: 0 } } },
      "messagingData.import.maxConcurrent: ",
    ],
    ["a list", { auth: { issuers: [{ issuer: "x", jwksUri: "nowhere" }] } }, "auth.issuers[0].jwksUri: "],
    ["YAML that is none", "projects: [", ""],
    ["no keys at all", "just text", ""],
  ])("locates a fault in the configuration: %s", async (_, config, place) => {
    const file = await configFile("bad.yaml", config);
    expect(await serveFailure("config", "--config", file)).toMatch(/^waybill: \S/);
    expect(await serveFailure("config", "--config", file)).toContain(place);
  });

  it("reports a missing configuration file", async () => {
    expect(await serveFailure("config", "--config", path("none.yaml"))).toContain(path("none.yaml"));
  });

  it("gives flags precedence over configuration keys", async () => {
    await mkdir(path("flags"));
    const elsewhere = { ...BASE_CONFIG, dataDir: "/nowhere", adminPort: 1, only: "integrity" };
    const one = await startServer(path("flags"), elsewhere, ["--only", "messaging-data"]);
    expect([one.integrityUrl, one.messagingDataUrl !== ""]).toEqual(["", true]);
    expect((await fetch(`${one.adminUrl}/readyz`)).status).toBe(200);
    expect(await one.stop()).toBe(0);
  });

  it("reads flags' values from configuration keys", async () => {
    const keys = { ...BASE_CONFIG, dataDir: path("keys-only"), adminPort: 0, messagingDataPort: 0 };
    const file = await configFile("keys.yaml", { ...keys, integrityPort: 70_000 });
    expect(await failure("serve", "--config", file)).toContain("integrityPort: ");
  });
});

describe("waybill token", () => {
  const claimsOf = (token: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

  it("prints a JWT with the requested claims", async () => {
    const { code, stdout } = await waybill(
      ["token", "--data-dir", path("keys"), "--principal", VIEWER, "--ttl", "90s"].concat([
        "--scope",
        "platform",
        "--scope",
        "app-platform",
      ]),
    );
    expect([code, stdout.split(".")]).toEqual([
      0,
      [expect.any(String), expect.any(String), expect.any(String)],
    ]);
    const { email, sub, scope, iat, exp } = claimsOf(stdout);
    const base = "https://www.googleapis.com/auth";
    expect({ email, sub, scope }).toEqual({
      email: VIEWER,
      sub: VIEWER,
      scope: `${base}/platform ${base}/app-platform`,
    });
    expect(Number(exp) - Number(iat)).toBe(90);
    expect((await stat(path("keys/keys/local-issuer.jwk"))).mode & 0o777).toBe(0o600);
  });

  it("defaults to one hour and the platform scope", async () => {
    const { scope, iat, exp } = claimsOf((await waybill(["token", "--data-dir", path("keys")])).stdout);
    expect([scope, Number(exp) - Number(iat)]).toEqual(["https://www.googleapis.com/auth/platform", 3600]);
  });
});
