import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { PostgresDocuments } from "../../src/control/postgres/postgres-documents.js";
import { PostgresLeases } from "../../src/control/postgres/postgres-leases.js";
import type { AppIncident } from "../../src/messaging-data/incidents/list/app-incident.js";
import { IncidentWebhook } from "../../src/messaging-data/incidents/tell/incident-webhook.js";
import { webhookReceiver } from "../../src/messaging-data/incidents/tell/testing/webhook-receiver.js";
import { appIncident } from "../../src/messaging-data/incidents/testing/app-incident.js";
import { systemClock } from "../../src/model/clock.js";
import { type TestDatabase, testDatabase } from "../support/cluster/postgres-database.js";
import { poll } from "../support/poll.js";
import { PROJECT } from "../support/project.js";

const UNTIL = 20_000;
const KEY = Uint8Array.from(randomBytes(32));

const incidentOf = (appId: string): AppIncident => appIncident({ appId, startDay: UNTIL - 3 });

/** Starts a webhook as a process does, with connections of its own. */
function startWebhook({ connect }: TestDatabase, url: string): IncidentWebhook {
  const { database } = connect();
  const webhook = new IncidentWebhook({
    name: "on-call",
    address: { url, keys: async () => [Buffer.from(KEY)] },
    projects: [PROJECT],
    documents: new PostgresDocuments(database),
    leases: new PostgresLeases(database),
    clock: systemClock,
    observer: { delivered() {}, failed() {}, gaveUp() {}, broken() {} },
  });
  webhook.start();
  onTestFinished(() => webhook.stop());
  return webhook;
}

test("processes that find the same incidents tell a webhook of each once", async () => {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const receiver = await webhookReceiver(KEY);
  onTestFinished(() => receiver.close());
  const processes = [1, 2, 3].map(() => startWebhook(database, receiver.origin));
  const apps = Array.from({ length: 10 }, (_, i) => `app-${i}`);
  for (let until = UNTIL; until < UNTIL + apps.length; until++) {
    const found = apps.slice(0, until - UNTIL + 1).map(incidentOf);
    await Promise.all(processes.map((webhook) => webhook.judged(PROJECT.number, until, found)));
  }
  await poll(
    async () => receiver.received.length,
    (length) => length >= apps.length,
  );
  // Whoever tells at last has told all.
  await Promise.all(processes.map((webhook) => webhook.stop()));
  const told = receiver.received.map(({ body }) => body.data.incident?.appId);
  expect(told.sort()).toEqual(apps);
  expect(receiver.refused).toEqual([]);
});
