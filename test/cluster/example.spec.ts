import { existsSync, readFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { type ExampleCluster, startExample } from "../support/cluster/example-cluster.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { importInto, ndjson } from "../support/data/import.js";
import { type Sent, send } from "../support/http/exchange.js";
import { codeBlocks, examplesOf } from "../support/markdown.js";
import { packagePath } from "../support/package-path.js";
import { poll } from "../support/poll.js";
import { runScript } from "../support/servers/run-script.js";

const blocks = codeBlocks(readFileSync(packagePath("docs/operate/cluster.md"), "utf8"));

const PROJECT = "demo-project";
const APP = "1:123456789012:android:3d4e5f607182";
const CONFIG = `/v1/projects/${PROJECT}/apps/1:123456789012:ios:0a1b2c3d4e5f/appAttestConfig`;

let cluster: ExampleCluster;
let token: string;
beforeAll(async () => {
  cluster = await startExample();
  const config = join(cluster.directory, "cluster-data/waybill.yaml");
  const { stdout } = await runInProcess(["token", "--config", config]);
  token = stdout.trim();
});
afterAll(() => cluster.stop());

test("the commands in Run a cluster print the documented output", async () => {
  const commands = blocks.filter(({ language }) => language === "sh").map(({ text }) => text);
  const setUp = commands.filter((text) => /^[A-Z]+=\$\(/.test(text));
  expect(setUp).toHaveLength(1);
  for (const { command, output } of examplesOf(blocks)) {
    const script = cluster
      .withPorts([...setUp, command.text].join("\n"))
      .replaceAll("./bin/waybill", `node ${cluster.executable}`);
    await poll(async () => (await runScript(script, cluster.directory)).trim(), output.text.trim());
  }
});

test("examples/cluster/up starts a ClickHouse server again if it has crashed during its start", () => {
  expect(existsSync(join(cluster.directory, "crashed"))).toBe(true);
  expect(cluster.reports()).toContain("Segmentation fault");
});

const urlOf = (port: number) => cluster.withPorts(`http://127.0.0.1:${port}`);
const ready = async (adminPort: number) => (await send(urlOf(adminPort), "/readyz")).status;

test("the console of each process calls the services through the load balancer", async () => {
  for (const port of [18081, 28081]) {
    const { headers } = await send(urlOf(port), "/console/");
    const policy = headers["content-security-policy"];
    expect(policy).toContain(`connect-src 'self' ${[8080, 8082].map(urlOf).join(" ")};`);
  }
});

const importOne = (number: number, agent?: Agent) =>
  send(urlOf(8081), importInto(PROJECT), {
    method: "POST",
    token,
    headers: { "content-type": "application/x-ndjson" },
    body: ndjson([accepted(APP, "2025-06-04T12:00:00-07:00", `label-${number % 10}`)]),
    ...(agent && { agent }),
  });

test("a rolling restart or upgrade of the cluster under load fails no call, on new or open connections", async () => {
  const failed: string[] = [];
  let calls = 0;
  let isDone = false;
  const expectOk = async (what: string, call: Promise<{ readonly status: number }>): Promise<void> => {
    const outcome = await call.then(
      ({ status }) => status,
      (error: unknown) => String(error),
    );
    calls++;
    if (outcome !== 200) failed.push(`${what}: ${outcome}`);
  };
  const client = async (name: string, agent?: Agent): Promise<void> => {
    const sent: Sent = { token, ...(agent && { agent }) };
    for (let i = 0; !isDone; i++) {
      await expectOk(`${name} get`, send(urlOf(8080), CONFIG, sent));
      await expectOk(`${name} list`, send(urlOf(8081), listOf(APP, PROJECT), sent));
      await expectOk(`${name} import`, importOne(i, agent));
      await sleep(5);
    }
  };
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  const load = [client("new"), client("new"), ...agents.map((agent) => client("kept", agent))];
  for (const [program, adminPort] of [
    ["waybill-1", 19090],
    ["waybill-2", 29090],
  ] as const) {
    await cluster.end(program, "SIGTERM");
    cluster.startAgain(program);
    await poll(() => ready(adminPort).catch(() => 0), 200);
  }
  isDone = true;
  await Promise.all(load);
  for (const agent of agents) agent.destroy();
  expect(failed).toEqual([]);
  expect(calls).toBeGreaterThan(100);
});

test("a killed program of the cluster does not affect the others, and starts again with the printed command", async () => {
  await cluster.end("clickhouse-2b", "SIGKILL");
  expect(cluster.reports()).toContain("clickhouse-2b has ended with status 137");
  expect((await send(urlOf(8081), listOf(APP, PROJECT), { token })).status).toBe(200);
  const quorum = async () =>
    /^waybill_store_import_quorum (\d)$/m.exec((await send(urlOf(19090), "/metrics")).text)?.[1];
  await poll(quorum, "0");
  expect(await ready(19090)).toBe(200);
  cluster.startAgain("clickhouse-2b");
  await poll(async () => (await importOne(0)).status, 200);
  await poll(quorum, "1");
});
