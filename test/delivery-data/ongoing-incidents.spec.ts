import { join } from "node:path";
import { expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { EmbeddedRecords } from "../../src/control/embedded/embedded-records.js";
import { RECORD_KINDS } from "../../src/control/records.js";
import { systemClock } from "../../src/model/clock.js";
import { civilDate } from "../../src/model/day.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { entriesOnceThey, importBatch } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { BASE_CONFIG, EDITOR, PROJECT } from "../support/servers/project.js";
import { type Server, startServer as startAnywhere } from "../support/servers/server.js";
import { startProcess } from "../support/servers/server-process.js";
import { setClock } from "../support/servers/set-clock.js";
import { backupOf } from "../support/servers/waybill-command.js";
import { SECRET, test as serving } from "../support/servers/webhook-server.js";
import { TODAY } from "../support/today.js";

const DAYS = 42;
const START = TODAY - DAYS;
const LABELS = ["cart_reminder", "news", "promo"];

/** A secret part of the URL. */
const PATH = "/aBcD1234";

async function samplesOf({ adminUrl }: Server, metrics: string): Promise<string[]> {
  const { text } = await send(adminUrl, "/metrics");
  return text.split("\n").filter((line) => line.startsWith(metrics));
}

/** Samples of ongoing incidents, after evaluation of all projects with entries. */
const evaluated = (server: Server, samples = 2) =>
  poll(
    () => samplesOf(server, "waybill_ongoing_incidents{"),
    ({ length }) => length === samples,
  );

const test = serving
  /** A configuration with a webhook. */
  .extend("notifying", ({ receiver, secretFile }) => {
    const webhooks = [{ name: "on-call", url: receiver.origin + PATH, secretFile }];
    return { ...BASE_CONFIG, messagingData: { incidents: { webhooks } } };
  });

test("metrics and a webhook report ongoing incidents once, even with data from a backup", async ({
  startServer,
  notifying,
  receiver,
  directory,
  onTestFinished,
}) => {
  const before = await startServer();
  const editor = await before.token(EDITOR);
  const of = { startDay: START, days: DAYS, labels: LABELS, messages: 200 };
  const isFaulty = (label: string, day: number): boolean => label === "promo" && day >= START + 35;
  const apps = {
    falling: (label: string, day: number) => (isFaulty(label, day) ? 0.3 : 0.9),
    steady: () => 0.9,
  };
  for (const [appId, delivered] of Object.entries(apps)) {
    for (const lines of faultyTraffic({ appId, delivered, ...of })) await importBatch(before, editor, lines);
  }
  for (const appId of Object.keys(apps)) {
    await entriesOnceThey(before, editor, appId, ({ length }) => length === DAYS * LABELS.length);
  }
  await before.stop();
  // Each server evaluates all projects when it starts. The first server is killed before it receives the response to
  // its message.
  receiver.onMessage = () => {};
  const killed = await startProcess(directory, notifying);
  const samples = await evaluated(killed);
  expect(samples.sort()).toEqual([
    `waybill_ongoing_incidents{project="${PROJECT.number}",app=""} 0`,
    `waybill_ongoing_incidents{project="${PROJECT.number}",app="falling"} 1`,
  ]);
  await poll(() => receiver.received.length, 1);
  const [lag = ""] = await samplesOf(killed, "waybill_webhook_lag_seconds{");
  expect(lag).toMatch(/^waybill_webhook_lag_seconds\{webhook="on-call"\} 0*[1-9.][0-9.]*$/);
  await killed.stop("SIGKILL");

  receiver.onMessage = ({ respond }) => respond(200);
  const repeating = await startProcess(directory, notifying);
  const delivered = 'waybill_webhook_messages_total{webhook="on-call",result="delivered"} 1';
  await poll(
    () => samplesOf(repeating, 'waybill_webhook_messages_total{webhook="on-call",result="delivered"}'),
    ([sample]) => sample === delivered,
  );
  const lagOfRepeating = async () => (await samplesOf(repeating, "waybill_webhook_lag_seconds{"))[0];
  await poll(lagOfRepeating, 'waybill_webhook_lag_seconds{webhook="on-call"} 0');
  await repeating.stop("SIGKILL");

  const silent = await startServer(notifying);
  await evaluated(silent);
  const incidents = `/v1beta1/projects/${PROJECT.id}/androidApps/-/incidents`;
  const { text } = await send(silent.messagingDataUrl, incidents, { token: await silent.token(EDITOR) });
  expect(JSON.parse(text)).toMatchObject({
    incidents: [{ incidentId: receiver.received[0]?.body.data.id }],
  });
  const backup = join(directory, "backup");
  const made = await runInProcess(backupOf(silent, backup));
  expect([made.code, made.stderr]).toEqual([0, ""]);
  await silent.stop();
  const home = join(directory, "restored");
  const restored = await runInProcess(["restore", "--from", backup, "--data-dir", join(home, "data")]);
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  expect((await runInProcess(["check", "--data-dir", backup])).code).toBe(0);
  const elsewhere = await startAnywhere(home, notifying);
  onTestFinished(async () => void (await elsewhere.stop()));
  await evaluated(elsewhere);
  await elsewhere.stop();
  const records = await EmbeddedRecords.open(silent.dataDir, systemClock);
  const known = await records.get(RECORD_KINDS.webhook, `${PROJECT.number}/on-call`);
  await records.close();
  expect(known?.value).toMatchObject({
    incidents: [
      {
        incident: { id: receiver.received[0]?.body.data.id },
        state: "started",
        change: 1,
        delivered: "started",
      },
    ],
  });
  expect(receiver.rejected).toEqual([]);
  expect(receiver.received.map(({ id }) => id)).toEqual(Array(2).fill(receiver.received[0]?.id));
  expect(receiver.received[1]?.body).toMatchObject({
    type: "incident.started",
    data: {
      project: { name: `projects/${PROJECT.number}`, projectId: PROJECT.id },
      incident: { appId: "falling", analyticsLabel: "promo", startDate: civilDate(START + 35) },
    },
  });
  for (const { log } of [killed, repeating, silent]) {
    expect(log()).not.toContain(PATH);
    expect(log()).not.toContain(SECRET.toString("base64"));
  }
});

test("incidents caused by late events appear in the metrics when the clock is set", async ({
  startServer,
}) => {
  const server = await startServer({ ...BASE_CONFIG, clock: { adjustable: true } });
  const editor = await server.token(EDITOR);
  const of = { appId: "falling", startDay: START, days: DAYS, labels: ["promo"], messages: 100 };
  for (const lines of faultyTraffic({ ...of, delivered: () => 0.9 }))
    await importBatch(server, editor, lines);
  await entriesOnceThey(server, editor, of.appId, ({ length }) => length === DAYS);
  await evaluated(server, 1);
  // Few enough that the number of messages does not count as a rise.
  const late = { ...of, messages: 40, startDay: START + 35, days: DAYS - 35, delivered: () => 0 };
  for (const lines of faultyTraffic(late)) {
    await importBatch(server, editor, lines.replaceAll('"messageId":"', '"messageId":"late-'));
  }
  await poll(
    async () => {
      await setClock(server, {});
      return samplesOf(server, "waybill_ongoing_incidents{");
    },
    (samples) => samples.includes(`waybill_ongoing_incidents{project="${PROJECT.number}",app="falling"} 1`),
  );
});
