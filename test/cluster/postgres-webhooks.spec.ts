import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { expect, onTestFinished, test } from "vitest";
import { PostgresLeases } from "../../src/control/postgres/postgres-control.js";
import { PostgresRecords } from "../../src/control/postgres/postgres-records.js";
import { WeeklyReportSchema } from "../../src/gen/waybill/messagingdata/v1beta1/weekly_report_pb.js";
import type { IdentifiedIncident } from "../../src/incidents/list/app-incident.js";
import { identifiedIncident } from "../../src/incidents/testing/app-incident.js";
import { IncidentWebhook } from "../../src/incidents/webhooks/incident-webhook.js";
import { fixedProjects } from "../../src/incidents/webhooks/testing/webhook-projects.js";
import { webhookReceiver } from "../../src/incidents/webhooks/testing/webhook-receiver.js";
import { MAX_WEBHOOK_AT_STOP_MS } from "../../src/limits/data-limits.js";
import { systemClock } from "../../src/model/clock.js";
import { formatDay } from "../../src/model/day.js";
import { type TestDatabase, testDatabase } from "../support/cluster/postgres-database.js";
import { startWaybillCluster } from "../support/cluster/waybill-cluster.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { entriesOnceThey, importBatch } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { EDITOR, PROJECT } from "../support/servers/project.js";
import type { ServerProcess } from "../support/servers/server-process.js";
import { testDirectory } from "../support/test-directory.js";
import { TODAY } from "../support/today.js";

const UNTIL = 20_000;
const KEY = Uint8Array.from(randomBytes(32));

const REPORT = create(WeeklyReportSchema, { markdown: "# Delivery" });

const incidentOf = (appId: string): IdentifiedIncident =>
  identifiedIncident({ id: appId, appId, startDay: UNTIL - 3 });

/** Starts a webhook as a process does, with its own connections. */
function startWebhook({ connect }: TestDatabase, url: string): IncidentWebhook {
  const connections = connect();
  const webhook = new IncidentWebhook({
    name: "on-call",
    address: { url, keys: async () => [Buffer.from(KEY)] },
    events: ["incidents", "reports"],
    projects: fixedProjects([PROJECT]),
    records: new PostgresRecords({ ...connections, clock: systemClock }),
    leases: new PostgresLeases(connections.database),
    clock: systemClock,
    observer: { delivered() {}, failed() {}, disabled() {}, gaveUp() {}, broken() {} },
  });
  webhook.runner.start();
  onTestFinished(() => webhook.runner.stop(MAX_WEBHOOK_AT_STOP_MS));
  return webhook;
}

test("processes that detect the same incidents and weeks notify a webhook of each once", async () => {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const receiver = await webhookReceiver(KEY);
  onTestFinished(() => receiver.close());
  const processes = [1, 2, 3].map(() => startWebhook(database, receiver.origin));
  const apps = Array.from({ length: 10 }, (_, i) => `app-${i}`);
  for (let until = UNTIL; until < UNTIL + apps.length; until++) {
    const found = apps.slice(0, until - UNTIL + 1).map(incidentOf);
    await Promise.all(processes.map((webhook) => webhook.evaluated(PROJECT.number, until, found)));
  }
  const weeks = [UNTIL - 13, UNTIL - 6];
  for (const monday of weeks)
    await Promise.all(processes.map((webhook) => webhook.reported(PROJECT.number, monday, REPORT)));
  await poll(() => receiver.received.length >= apps.length + weeks.length);
  // The last webhook has delivered all messages.
  await Promise.all(processes.map((webhook) => webhook.runner.stop(MAX_WEBHOOK_AT_STOP_MS)));
  const delivered = receiver.received.map(({ body: { data } }) => data.incident?.appId ?? data.id);
  expect(delivered.sort()).toEqual([...weeks.map(formatDay), ...apps].sort());
  expect(receiver.rejected).toEqual([]);
});

/** Number of messages that a process has sent to the webhook. */
async function deliveredBy({ adminUrl }: ServerProcess): Promise<number> {
  const { text } = await send(adminUrl, "/metrics");
  const [, count] = /^waybill_webhook_messages_total\{[^}]*result="delivered"\} (\d+)$/m.exec(text) ?? [];
  return Number(count);
}

test("after a process was killed, a second process sends its webhook message again with the same id, and no other message", async () => {
  const directory = await testDirectory();
  const receiver = await webhookReceiver(KEY);
  onTestFinished(() => receiver.close());
  const secretFile = join(directory, "webhook.secret");
  await writeFile(secretFile, `whsec_${Buffer.from(KEY).toString("base64")}\n`);
  let webhooks: readonly object[] = [];
  const cluster = await startWaybillCluster({
    optionsOf: () => ({ config: { messagingData: { incidents: { webhooks } } } }),
  });
  onTestFinished(cluster.close);
  const serverAt = (index: number) => cluster.servers[index] as ServerProcess;

  const token = await cluster.token(EDITOR);
  const [days, labels] = [35, ["news", "promo"]];
  const startDay = TODAY - days;
  const delivered = (label: string, day: number) =>
    label === "promo" && day >= startDay + days - 4 ? 0.3 : 0.9;
  const traffic = faultyTraffic({ appId: "falling", startDay, days, labels, messages: 100, delivered });
  await importBatch(serverAt(0), token, [...traffic].join(""));
  await entriesOnceThey(serverAt(0), token, "falling", ({ length }) => length === days * labels.length);
  await Promise.all(cluster.servers.map((server) => server.stop()));

  // The first process sends, and is killed before the response. The second one is waiting for its lease.
  webhooks = [{ name: "on-call", url: receiver.origin, secretFile }];
  receiver.onMessage = () => {};
  await cluster.restart(0);
  await poll(() => receiver.received.length, 1);
  await cluster.restart(1);
  receiver.onMessage = ({ respond }) => respond(204);
  await serverAt(0).stop("SIGKILL");
  expect(
    await poll(
      () => deliveredBy(serverAt(1)),
      (count) => count > 0,
    ),
  ).toBe(1);

  // The process restarts after the other one has delivered everything.
  await cluster.restart(0);
  await serverAt(1).stop();
  await poll(
    async () => (await send(serverAt(0).adminUrl, "/metrics")).text,
    (text) => text.includes("waybill_ongoing_incidents{") && text.includes('app="falling"} 1'),
  );
  expect(await serverAt(0).stop()).toBe(0);
  const [first, ...others] = receiver.received;
  expect(first?.body).toMatchObject({
    type: "incident.started",
    data: { incident: { appId: "falling", analyticsLabel: "promo" } },
  });
  expect(others.map(({ id, body }) => ({ id, body }))).toEqual([{ id: first?.id, body: first?.body }]);
  expect(receiver.rejected).toEqual([]);
});
