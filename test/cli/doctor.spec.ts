import { KeyObject } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { type CommandOutcome, runInProcess } from "../../src/cli/testing/run-in-process.js";
import { loopbackServer } from "../../src/http/testing/loopback-server.js";
import { generateKeys, issue } from "../../src/integrity/attestation/testing/synthetic-device.js";
import { freePort } from "../support/cluster/free-port.js";
import { parsedLines } from "../support/data/import.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG } from "../support/servers/project.js";
import { NOBODY, waybill } from "../support/servers/waybill-command.js";

const DAY_MS = 86_400_000;

const test = serving
  /** Writes a config file, and runs the command with it. */
  .extend(
    "doctor",
    ({ directory }) =>
      async (config: object, ...flags: string[]): Promise<CommandOutcome> => {
        const file = join(directory, "waybill.yaml");
        writeFileSync(file, stringify({ ...BASE_CONFIG, adminPort: await freePort(), ...config }));
        const dataDir = join(directory, "private");
        mkdirSync(dataDir, { mode: 0o700, recursive: true });
        return runInProcess(["doctor", "--config", file, "--data-dir", dataDir, ...flags]);
      },
  )
  /** Starts a server with this response. */
  .extend("respondWith", ({ onTestFinished }) => async (respond: (response: ServerResponse) => void) => {
    const { origin, close } = await loopbackServer((_request, response) => respond(response));
    onTestFinished(close);
    return origin;
  })
  /** Writes a server certificate, and its key. */
  .extend("certificate", ({ directory }) => async (notAfter: Date) => {
    const keys = await generateKeys();
    const notBefore = notAfter.getTime() - 90 * DAY_MS;
    const issued = await issue(keys, undefined, { notBefore, notAfter: notAfter.getTime() });
    const key = KeyObject.from(keys.privateKey).export({ format: "pem", type: "pkcs8" });
    const files = { certificate: join(directory, "server.pem"), key: join(directory, "server.key") };
    writeFileSync(files.certificate, issued.toString("pem"));
    writeFileSync(files.key, key);
    return files;
  });

test("waybill doctor finds no problem with a running server", async ({ directory, openSharedServer }) => {
  const server = await openSharedServer(BASE_CONFIG);
  const config = join(directory, "config.yaml");
  writeFileSync(config, stringify({ ...BASE_CONFIG, adminPort: Number(new URL(server.adminUrl).port) }));
  const { code, stdout } = await runInProcess(["doctor", "--config", config, "--data-dir", server.dataDir]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^ok {7}server: .*\/readyz responded with .*ready/m),
  ]);
  expect(stdout).toMatch(/^ok {7}data directory: \//m);
});

test("waybill doctor prints JSON lines", async ({ doctor }) => {
  const { code, stdout } = await doctor({}, "--json");
  expect(code).toBe(0);
  const findings = parsedLines(stdout);
  expect(findings.map(({ subject }) => subject)).toEqual([
    "configuration",
    "data directory",
    "disk",
    "server",
  ]);
  expect(findings[0]).toEqual({ state: "ok", subject: "configuration", detail: expect.any(String) });
});

test("waybill doctor reports each problem, with a remedy", async ({
  certificate,
  directory,
  doctor,
  respondWith,
}) => {
  const port = await freePort();
  const other = await respondWith((response) => response.end("<html>"));
  const gone = `http://127.0.0.1:${port}`;
  const none = join(directory, "none.json");
  const secretFile = join(directory, "secret");
  writeFileSync(secretFile, `whsec_${Buffer.alloc(24, 1).toString("base64")}`);
  const mirror = { url: gone, appsUrl: `${gone}/apps`, credentialsFile: none };
  const { code, stdout, stderr } = await doctor({
    projects: [{ id: "shop", number: "500000000001", deliveryData: { source: "mirror", mirror } }],
    access: [],
    tls: await certificate(new Date(Date.now() - DAY_MS)),
    auth: {
      issuers: [
        { issuer: "a", jwksUri: `${gone}/jwks.json` },
        { issuer: "b", jwksUri: `${other}/jwks.json` },
        { issuer: "c", introspectionUrl: gone, clientId: "waybill", clientSecret: "a secret" },
      ],
    },
    console: { oauth: { issuer: gone, clientId: "console" } },
    messagingData: { incidents: { webhooks: [{ name: "on-call", url: `${gone}/a-secret`, secretFile }] } },
    store: { engine: "clickhouse", urls: [gone] },
    control: { engine: "postgres", url: `postgres://waybill@127.0.0.1:${port}/waybill` },
  });
  expect([code, stderr]).toEqual([1, "waybill: 11 checks failed\n"]);
  const failures = [...stdout.matchAll(/^FAILED {3}(.*)\n {9}To do: /gm)].map(([, text = ""]) => text);
  expect(failures).toEqual([
    expect.stringMatching(/^tls\.certificate: expired on /),
    expect.stringMatching(/^auth\.issuers\[0\]\.jwksUri: .* cannot be reached: /),
    expect.stringMatching(/^auth\.issuers\[1\]\.jwksUri: .* did not return a JSON key set/),
    `auth.issuers[2].introspectionUrl: ${gone} cannot be reached: ECONNREFUSED`,
    `console.oauth.issuer: ${gone} cannot be reached: ECONNREFUSED`,
    `mirror of shop: ${gone} cannot be reached: ECONNREFUSED`,
    `app list of shop: ${gone} cannot be reached: ECONNREFUSED`,
    `credentials of the mirror of shop: ${none}: the credentials file cannot be read: ENOENT`,
    `webhook on-call: ${gone} cannot be reached: ECONNREFUSED`,
    expect.stringMatching(/^ClickHouse at /),
    expect.stringMatching(/^PostgreSQL database waybill at /),
  ]);
});

test("waybill doctor reads the key files of issuers", async ({ doctor, directory }) => {
  const issuers = ["good", "none", "text", "list"].map((issuer) => ({
    issuer,
    jwksFile: join(directory, `${issuer}.json`),
  }));
  writeFileSync(join(directory, "good.json"), '{"keys":[{},{}]}');
  writeFileSync(join(directory, "text.json"), "{");
  writeFileSync(join(directory, "list.json"), '{"keys":{}}');
  const { code, stdout } = await doctor({ access: [], auth: { issuers } });
  expect(code).toBe(1);
  const lines = stdout.split("\n").filter((line) => line.includes("jwksFile"));
  expect(lines.map((line) => line.replaceAll(`${directory}/`, ""))).toEqual([
    "ok       auth.issuers[0].jwksFile: good.json has 2 keys",
    "FAILED   auth.issuers[1].jwksFile: none.json: there is no such file or directory",
    "FAILED   auth.issuers[2].jwksFile: text.json is not a JSON key set",
    "FAILED   auth.issuers[3].jwksFile: list.json is not a JSON key set",
  ]);
});

test("waybill doctor reports an issuer's key set that never ends", async ({ doctor, respondWith }) => {
  const url = await respondWith((response) => {
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, " ")));
    };
    response.on("drain", write);
    write();
  });
  const { code, stdout } = await doctor({ auth: { issuers: [{ issuer: "a", jwksUri: url }] } });
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(
      `auth.issuers[0].jwksUri: ${url} returned more than 1048576 bytes\n         To do: correct the address`,
    ),
  ]);
});

test("waybill doctor reports a certificate that is not valid yet", async ({ certificate, doctor }) => {
  const { code, stdout } = await doctor({ tls: await certificate(new Date(Date.now() + 100 * DAY_MS)) });
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^FAILED {3}tls\.certificate: not valid before /m),
  ]);
});

test("waybill doctor warns before a certificate expires", async ({ certificate, doctor }) => {
  const { code, stdout } = await doctor({ tls: await certificate(new Date(Date.now() + 7.5 * DAY_MS)) });
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^warning {2}tls\.certificate: valid for 7 more days$/m),
  ]);
});

test("waybill doctor warns if other users have access to the data directory", async ({
  directory,
  doctor,
}) => {
  mkdirSync(join(directory, "private"));
  chmodSync(join(directory, "private"), 0o755);
  const { code, stdout } = await doctor({});
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^warning {2}data directory: .*\n +To do: chmod 700 \//m),
  ]);
});

test("waybill doctor reports a data directory without write permission", async ({ directory }) => {
  chmodSync(directory, 0o711);
  const dataDir = join(directory, "other");
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o500);
  const { code, stdout } = await waybill(["doctor", "--data-dir", dataDir], undefined, NOBODY);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^FAILED {3}data directory: .*: permission denied$/m),
  ]);
});

test("waybill doctor reports a file in the data directory without permission", async ({ directory }) => {
  chmodSync(directory, 0o711);
  const dataDir = join(directory, "data");
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o777);
  const file = join(dataDir, "records.db");
  writeFileSync(file, "", { mode: 0 });
  const { code, stdout } = await waybill(["doctor", "--data-dir", dataDir], undefined, NOBODY);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(`data directory: ${file}: permission denied\n`),
  ]);
});

test("waybill doctor reports a data directory that is a file", async ({ directory }) => {
  const file = join(directory, "data");
  writeFileSync(file, "");
  const { code, stdout } = await runInProcess(["doctor", "--data-dir", file]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(`data directory: ${file} is not a directory\n         To do: set dataDir`),
  ]);
});

test("waybill doctor reports a server that is not ready", async ({ doctor, respondWith }) => {
  const url = await respondWith((response) => response.writeHead(503).end("the disk is full"));
  const { code, stdout } = await doctor({ adminPort: Number(new URL(url).port) });
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^FAILED {3}server: .*\/readyz responded with 503: the disk is full\n +To do: /m),
  ]);
});

test("waybill doctor warns if an issuer's clock differs", async ({ doctor, respondWith }) => {
  const url = await respondWith((response) => {
    response.setHeader("date", new Date(Date.now() + 3_600_000).toUTCString());
    response.end('{"keys":[]}');
  });
  const { code, stdout } = await doctor({ auth: { issuers: [{ issuer: "a", jwksUri: url }] } });
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^warning {2}clock: \d+ s behind auth\.issuers\[0\]\.jwksUri\n +To do: synchronize /m,
    ),
  ]);
});

test("waybill doctor reports a key that the configuration does not have", async ({ doctor }) => {
  const { code, stdout, stderr } = await doctor({ hots: "127.0.0.1" });
  expect([code, stderr]).toEqual([1, "waybill: 1 check failed\n"]);
  expect(stdout).toMatch(/^FAILED {3}configuration: hots: is not a known key\n {9}To do: correct the file/);
});
