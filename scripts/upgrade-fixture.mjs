// Writes this version's upgrade fixture to test/fixtures/upgrades/MAJOR.MINOR: a small server's files and responses. With
// `--clickhouse URL --postgres URL` of empty databases, writes dumps of these databases instead of files.
// A fixture is made once, before the release. Tests of all later versions open it.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { stringify } from "yaml";
import { dumpClickHouse, dumpPostgres } from "./upgrade-dumps.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const command = join(root, "bin", "waybill");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [, minor = ""] = /^(\d+\.\d+)\./.exec(version) ?? [];
const folder = join(root, "test", "fixtures", "upgrades", minor);
const { clickhouse, postgres } = parseArgs({
  options: { clickhouse: { type: "string" }, postgres: { type: "string" } },
}).values;
const isCluster = clickhouse !== undefined && postgres !== undefined;

const PROJECT = "123456789012";
const ANDROID_APP = `1:${PROJECT}:android:0a1b2c3d4e5f`;
const IOS_APP = `1:${PROJECT}:ios:0a1b2c3d4e5f`;
const OWNER = "owner@example.com";
const START = "2026-11-20T12:00:00Z";
const CONFIG = {
  projects: [{ id: "shop", number: PROJECT, apps: [{ id: IOS_APP }] }],
  access: [{ principal: OWNER, projects: "*", role: "owner" }],
};
/** Without databases that processes share, tests can set the clock to the fixture's time. Page tokens and keys are then still valid. */
const CLOCK = { clock: { adjustable: true, start: START } };

const DAYS = 24;
const MESSAGES = 100;
/** Days at the end on which fewer messages are delivered. */
const BAD_DAYS = 5;

/** Lines of events, of the days before {@link START}. */
function* events() {
  for (let day = 0; day < DAYS; day++) {
    const noon = Date.parse("2026-10-27T19:00:00Z") + day * 86_400_000;
    const delivered = day < DAYS - BAD_DAYS ? 9 : 4;
    for (let index = 0; index < MESSAGES; index++) {
      const message = { appId: ANDROID_APP, messageId: `${day}/${index}` };
      const eventTime = (seconds) => new Date(noon + seconds * 1_000).toISOString();
      const isDelivered = index % 10 < delivered;
      const outcome = isDelivered ? "DELIVERED" : "DROPPED_TTL_EXPIRED";
      const sent = { eventType: "ACCEPTED", analyticsLabel: "news", usageReportingOptIn: true };
      yield `${JSON.stringify({ ...message, eventTime: eventTime(0), ...sent })}\n`;
      yield `${JSON.stringify({ ...message, eventTime: eventTime(1), eventType: outcome })}\n`;
    }
  }
}

const directory = mkdtempSync(join(tmpdir(), "waybill-fixture-"));
const dataDir = join(directory, "data");
const configFile = join(directory, "waybill.yaml");
const databases = {
  store: { engine: "clickhouse", urls: [clickhouse] },
  control: { engine: "postgres", url: postgres },
};
writeFileSync(configFile, stringify({ ...CONFIG, ...(isCluster ? databases : CLOCK) }));
const ports = ["integrity", "messaging-data", "registry", "admin"].flatMap((name) => [`--${name}-port`, "0"]);
const server = spawn(
  process.execPath,
  [command, "serve", "--config", configFile, "--data-dir", dataDir, ...ports],
  { stdio: ["ignore", "pipe", "inherit"] },
);
process.once("exit", () => server.kill());
const exited = once(server, "exit");
const [ready] = await Promise.race([once(createInterface(server.stdout), "line"), exited]);
const urls = JSON.parse(ready);

/** Runs a command. @returns its output. */
function waybill(...args) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [command, ...args, "--config", configFile, "--data-dir", dataDir],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  if (status !== 0) throw new Error(`waybill ${args[0]} failed`);
  return stdout;
}

const token = waybill("token", "--principal", OWNER).trim();

/** Sends a request, such as `["integrity", "PATCH /v1/…", body]`. @returns its response's JSON. */
async function send([service, line, body]) {
  const [method, target] = line.split(" ");
  const response = await fetch(urls[`${service}Url`] + target, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": typeof body === "string" ? "application/x-ndjson" : "application/json",
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${line}: ${text}`);
  return JSON.parse(text);
}

const parent = `/v1beta1/projects/${PROJECT}`;
const app = `${parent}/androidApps/${ANDROID_APP}`;
const config = `/v1/projects/${PROJECT}/apps/${IOS_APP}/appAttestConfig`;

await send(["messagingData", `POST ${parent}/messageEvents:import`, [...events()].join("")]);
let incidents = [];
for (let attempt = 0; incidents.length === 0; attempt++) {
  if (attempt === 300) throw new Error("no incident was detected");
  await sleep(100);
  ({ incidents = [] } = await send(["messagingData", `GET ${app}/incidents`]));
}
const [{ name, etag }] = incidents;
const changes = [
  ["integrity", `PATCH ${config}?updateMask=tokenTtl`, { tokenTtl: "7200s" }],
  ["integrity", `PATCH ${config}?updateMask=tokenTtl`, { tokenTtl: "1800.5s" }],
  ["messagingData", `POST /v1beta1/${name}:acknowledge`, { etag }],
  [
    "messagingData",
    `POST ${parent}/annotations`,
    { date: { year: 2026, month: 11, day: 15 }, kind: "RELEASE", text: "Release 4.2" },
  ],
  ["messagingData", `POST ${parent}/targets`, { appId: ANDROID_APP, deliveredPercent: 85 }],
  ["messagingData", `POST ${parent}/views`, { displayName: "Last week", query: "tab=overview" }],
  ["registry", "POST /v1/projects", { projectId: "second-shop", name: "Second shop" }],
];
for (const change of changes) await send(change);

const page = `${app}/deliveryData?pageSize=10`;
const { nextPageToken } = await send(["messagingData", `GET ${page}`]);
const reads = [
  ["messagingData", `GET ${app}/deliveryData`],
  ...(isCluster
    ? []
    : [
        ["messagingData", `GET ${page}&pageToken=${encodeURIComponent(nextPageToken)}`],
        ["integrity", "GET /v1/jwks"],
      ]),
  ["messagingData", `GET ${app}/deliveryData:aggregate`],
  ["messagingData", `GET ${app}/incidents`],
  ["messagingData", `GET ${parent}/annotations`],
  ["messagingData", `GET ${parent}/views`],
  ["integrity", `GET ${config}`],
  ["registry", "GET /v1beta1/projects"],
];
const responses = [];
for (const [service, line] of reads) {
  const response = await send([service, line]);
  // Later versions return a new token for the next page.
  if ("nextPageToken" in response) delete response.nextPageToken;
  responses.push({ service, target: line.slice("GET ".length), response });
}
const history = waybill("config", "history", "--json")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
server.kill();
await exited;

mkdirSync(folder, { recursive: true });
const write = (file, bytes) => writeFileSync(join(folder, file), gzipSync(bytes, { level: 9 }));
write(
  isCluster ? "cluster.json.gz" : "embedded.json.gz",
  JSON.stringify({ version, start: START, responses, history }),
);
if (isCluster) {
  write("clickhouse.json.gz", JSON.stringify(await dumpClickHouse(clickhouse, "waybill")));
  write("postgres.sql.gz", dumpPostgres(postgres));
} else {
  writeFileSync(join(folder, "waybill.yaml"), stringify({ ...CONFIG, ...CLOCK }));
  for (const file of ["waybill.duckdb", "records.db"]) write(`${file}.gz`, readFileSync(join(dataDir, file)));
}
rmSync(directory, { recursive: true });
console.log(`wrote ${folder}`);
