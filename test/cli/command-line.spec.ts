import { once } from "node:events";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createLocalJWKSet, jwtVerify } from "jose";
import { describe, expect } from "vitest";
import { stringify } from "yaml";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { RECORD_KINDS } from "../../src/control/records.js";
import { accessToken, localIssuerOf, withRecords } from "../support/servers/access-token.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG, VIEWER } from "../support/servers/project.js";
import { run } from "../support/servers/run.js";
import { FREE_PORTS } from "../support/servers/serve-process.js";
import { startProcess } from "../support/servers/server-process.js";
import { WAYBILL, waybill } from "../support/servers/waybill-command.js";

const test = serving
  .extend(
    "path",
    ({ sharedDirectory }) =>
      (name: string): string =>
        join(sharedDirectory, name),
  )
  .extend(
    "serveFailure",
    ({ path }) =>
      (dataDir: string, ...args: string[]): Promise<string> =>
        failure("serve", "--data-dir", path(dataDir), ...FREE_PORTS, ...args),
  )
  .extend("configFile", ({ path }) => async (name: string, content: object | string): Promise<string> => {
    await writeFile(path(name), typeof content === "string" ? content : stringify(content));
    return path(name);
  });

const FULL = /^waybill: cannot write to standard output: the disk is full\n$/;

/** Runs a command that must fail, and returns the single line that explains why. */
async function failure(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(args);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  return stderr.trimEnd();
}

const damageKey = (dataDir: string, key: string) =>
  withRecords(dataDir, (records) => records.change([{ kind: RECORD_KINDS.key, key, value: "x" }]));

describe("waybill", () => {
  test.each(["serve", "token", "import", "get", "list", "simulate"])(
    "shows an example in the help of %s",
    async (command) => {
      const { code, stdout } = await runInProcess([command, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`Examples?:\\n  \\$ .*waybill ${command} `));
      expect((await runInProcess(["--help"])).stdout).toContain(`  ${command} `);
    },
  );

  test("prints its version", async () => {
    expect(await waybill(["--version"])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });

  test.for([
    ["--help > /dev/full", 1, FULL],
    ["token --data-dir keys > /dev/full", 1, FULL],
    ["config history --data-dir keys > /dev/full", 1, FULL],
    ["simulate --messages 10 > /dev/full", 1, FULL],
    ["token --data-dir keys | exec sleep 0", 0, /^$/],
    ["serve --nonsense 2> /dev/full", 1, /^$/],
    ["token --scope none", 1, /^error: .*--scope.*\n$/],
  ] as const)(
    "ends with the expected exit code in a shell: %s",
    async ([line, expected, message], { sharedDirectory }) => {
      const shell = `cd "$1" && mkdir -p keys/keys && "$2" "$3" ${line}; exit \${PIPESTATUS[0]}`;
      const { code, stdout, stderr } = await run("bash", [
        "-c",
        shell,
        "-",
        sharedDirectory,
        process.execPath,
        WAYBILL,
      ]);
      expect([code, stdout]).toEqual([expected, ""]);
      expect(stderr).toMatch(message);
    },
  );

  test.each([
    [["serve", "--nonsense"], /unknown option '--nonsense'/],
    [["serve", "--admin-port", "70000"], /--admin-port.*0 to 65535/],
    [["serve", "--only", "both"], /--only.*integrity, messaging-data/],
    [["token", "--scope", "all"], /--scope.*platform, app-platform/],
    [["token", "--ttl", "soon"], /--ttl.*30m/],
    [["import", "--project", "p"], /name files, or set --follow/],
    [["deliver"], /unknown command 'deliver'/],
  ])("explains the wrong argument in %j", async (args, message) => {
    const { code, stderr } = await runInProcess(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe("waybill serve", () => {
  test("prints its addresses when it is ready", async ({ server }) => {
    const names = ["integrityUrl", "messagingDataUrl", "adminUrl"] as const;
    for (const name of names) expect(server[name]).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(new Set(names.map((name) => server[name])).size).toBe(3);
  });

  test("names a port that is in use", async ({ serveFailure }) => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as { port: number };
    expect(await serveFailure("port", "--messaging-data-port", String(port))).toMatch(
      new RegExp(`127\\.0\\.0\\.1:${port}: the address is in use by another process`),
    );
    holder.close();
  });

  test("reports that another process uses the data directory", async ({ server }) => {
    const line = await failure("serve", "--data-dir", server.dataDir, ...FREE_PORTS);
    expect(line).toBe(
      `waybill: the data directory ${server.dataDir} is in use by another process (${server.process.pid})`,
    );
  });

  test("reports a data directory that is a file", async ({ path, serveFailure }) => {
    await writeFile(path("a-file"), "");
    expect(await serveFailure("a-file")).toContain(path("a-file"));
  });

  test("reports that the data directory cannot be created", async ({ path, serveFailure }) => {
    await writeFile(path("in-the-way"), "");
    expect(await serveFailure("in-the-way/data")).toContain(path("in-the-way/data"));
  });

  test("names a damaged key of the local issuer", async ({ path, serveFailure }) => {
    await damageKey(path("damaged"), "local-issuer.jwk");
    expect(await serveFailure("damaged")).toContain(`local-issuer.jwk in ${path("damaged/records.db")}`);
  });

  test("names a damaged page-token key", async ({ path, serveFailure }) => {
    await damageKey(path("damaged-too"), "page-token.key");
    expect(await serveFailure("damaged-too")).toContain(
      `page-token.key in ${path("damaged-too/records.db")}`,
    );
  });

  test("names a damaged database", async ({ path, serveFailure }) => {
    await mkdir(path("no-database"));
    await writeFile(path("no-database/waybill.duckdb"), "nothing ".repeat(10_000));
    expect(await serveFailure("no-database")).toContain(path("no-database"));
  });

  test.for([
    ["an unknown key", { hots: "x" }, "hots: is not a known key"],
    [
      "a bad value",
      { messagingData: { import: { maxConcurrent: 0 } } },
      "messagingData.import.maxConcurrent: ",
    ],
    ["a list", { auth: { issuers: [{ issuer: "x", jwksUri: "nowhere" }] } }, "auth.issuers[0].jwksUri: "],
    ["invalid YAML", "projects: [", ""],
    ["no keys at all", "just text", ""],
  ] as const)(
    "locates an error in the configuration: %s",
    async ([_, config, place], { configFile, serveFailure }) => {
      const file = await configFile("bad.yaml", config);
      expect(await serveFailure("config", "--config", file)).toMatch(/^waybill: \S/);
      expect(await serveFailure("config", "--config", file)).toContain(place);
    },
  );

  test("reports that the configuration file does not exist", async ({ serveFailure, path }) => {
    expect(await serveFailure("config", "--config", path("none.yaml"))).toContain(path("none.yaml"));
  });

  test("prefers flags over configuration keys", async ({ path }) => {
    await mkdir(path("flags"));
    const elsewhere = { ...BASE_CONFIG, dataDir: "/nowhere", adminPort: 1, only: "integrity" };
    const one = await startProcess(path("flags"), elsewhere, ["--only", "messaging-data"]);
    expect([one.integrityUrl, one.messagingDataUrl]).toEqual([undefined, expect.stringMatching(/^http:/)]);
    expect((await fetch(`${one.adminUrl}/readyz`)).status).toBe(200);
    expect(await one.stop()).toBe(0);
  });

  test("reads flags' values from configuration keys", async ({ path, configFile }) => {
    const keys = {
      ...BASE_CONFIG,
      dataDir: path("keys-only"),
      adminPort: 0,
      messagingDataPort: 0,
      registryPort: 0,
    };
    const file = await configFile("keys.yaml", { ...keys, integrityPort: 70_000 });
    expect(await failure("serve", "--config", file)).toContain("integrityPort: ");
  });
});

describe("waybill token", () => {
  const claimsOf = (token: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

  test("prints a JWT with the requested claims", async ({ path }) => {
    const { code, stdout } = await runInProcess([
      ...["token", "--data-dir", path("keys"), "--principal", VIEWER, "--ttl", "90s"],
      ...["--scope", "platform", "--scope", "app-platform"],
    ]);
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
    expect((await stat(path("keys/records.db"))).mode & 0o777).toBe(0o600);
  });

  test("replaces the local key with --new-key, so that earlier tokens are revoked", async ({ path }) => {
    const dataDir = path("new-key");
    const [before, earlier] = [await localIssuerOf(dataDir), await accessToken(dataDir, VIEWER)];
    const { code, stdout } = await runInProcess(["token", "--data-dir", dataDir, "--new-key"]);
    expect(code).toBe(0);
    const keys = createLocalJWKSet((await localIssuerOf(dataDir)).jwks());
    await expect(jwtVerify(stdout.trim(), keys)).resolves.toBeDefined();
    await expect(jwtVerify(earlier, keys)).rejects.toThrow();
    expect((await localIssuerOf(dataDir)).jwks()).not.toEqual(before.jwks());
  });

  test("defaults to one hour and the platform scope", async ({ path }) => {
    const { scope, iat, exp } = claimsOf((await runInProcess(["token", "--data-dir", path("keys")])).stdout);
    expect([scope, Number(exp) - Number(iat)]).toEqual(["https://www.googleapis.com/auth/platform", 3600]);
  });
});
