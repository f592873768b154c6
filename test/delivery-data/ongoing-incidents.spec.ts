import { expect } from "vitest";
import { dayOf } from "../../src/model/day.js";
import { send } from "../support/exchange.js";
import { faultyTraffic } from "../support/faulty-traffic.js";
import { test } from "../support/fixtures.js";
import { entriesOnceThey, importBatch } from "../support/import.js";
import { poll } from "../support/poll.js";
import { EDITOR, OTHER_PROJECT, PROJECT } from "../support/project.js";
import type { Server } from "../support/server.js";

const DAYS = 42;
const START = dayOf(Date.now()) - DAYS;
const LABELS = ["cart_reminder", "news", "promo"];

/** The samples of the ongoing incidents. */
async function ongoing({ adminUrl }: Server): Promise<string[]> {
  const { text } = await send(adminUrl, "/metrics");
  return text.split("\n").filter((line) => line.startsWith("waybill_ongoing_incidents{"));
}

test("the metrics tell of the incidents that go on", async ({ startServer }) => {
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
  // Judges all projects when it starts.
  const after = await startServer();
  const samples = await poll(
    () => ongoing(after),
    ({ length }) => length === 3,
  );
  expect(samples.sort()).toEqual([
    `waybill_ongoing_incidents{project="${PROJECT.number}",app=""} 0`,
    `waybill_ongoing_incidents{project="${PROJECT.number}",app="falling"} 1`,
    `waybill_ongoing_incidents{project="${OTHER_PROJECT.number}",app=""} 0`,
  ]);
});
