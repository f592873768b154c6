import { expect } from "vitest";
import { civilDate, dayOf } from "../../src/model/day.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { importBatch } from "../support/data/import.js";
import { jsonCalls } from "../support/http/json-calls.js";
import { poll } from "../support/poll.js";
import { BASE_CONFIG, EDITOR, PROJECT } from "../support/servers/project.js";
import { setClock } from "../support/servers/set-clock.js";
import { test as serving } from "../support/servers/webhook-server.js";

const DAY_MS = 86_400_000;
/** The server's time at the start, long before the machine's. */
const START = Date.parse("2026-05-05T12:00:00Z");

const test = serving
  /** A configuration with a webhook. */
  .extend("notifying", ({ receiver, secretFile }) => {
    const webhooks = [{ name: "on-call", url: `${receiver.origin}/hook`, secretFile }];
    return { ...BASE_CONFIG, clock: { adjustable: true }, messagingData: { incidents: { webhooks } } };
  });

test("a webhook gets a message when a target is missed, and when it is met again", async ({
  startServer,
  notifying,
  receiver,
}) => {
  const server = await startServer(notifying, ["--clock", new Date(START).toISOString()]);
  const editor = await server.token(EDITOR);
  const call = jsonCalls(server.messagingDataUrl, editor);
  const { text: created } = await call("POST", `projects/${PROJECT.id}/targets`, {
    appId: "shop",
    analyticsLabel: "promo",
    deliveredPercent: 85,
  });
  const { name, createTime } = JSON.parse(created);
  expect(dayOf(Date.parse(createTime))).toBe(dayOf(START));
  const start = dayOf(START);
  // The day before the creation is missed without a message.
  for (const [offset, share] of [
    [-1, 0.5],
    [0, 0.5],
    [1, 1],
  ] as const) {
    const time = new Date(START + (offset + 1) * DAY_MS).toISOString();
    await setClock(server, { time });
    const of = { appId: "shop", labels: ["promo"], messages: 100, startDay: start + offset, days: 1 };
    for (const lines of faultyTraffic({ ...of, delivered: () => share }))
      await importBatch(server, editor, lines);
    const state = share < 0.85 ? "MISSED" : "MET";
    await poll(
      async () => JSON.parse((await call("GET", name)).text),
      (target) => target.state === state && target.evaluatedDate.day === civilDate(start + offset).day,
    );
    if (offset < 0) continue;
    await poll(() => receiver.received.length, offset + 1);
  }
  const [missed, met] = receiver.received;
  const project = { name: `projects/${PROJECT.number}`, projectId: PROJECT.id };
  const target = { name, appId: "shop", analyticsLabel: "promo", deliveredPercent: 85 };
  const data = { id: name.split("/").at(-1), project };
  expect(missed?.body).toMatchObject({
    type: "target.missed",
    data: { ...data, target: { ...target, state: "MISSED", evaluatedDate: civilDate(start) } },
  });
  expect(met?.body).toMatchObject({
    type: "target.met",
    data: { ...data, target: { ...target, state: "MET", evaluatedDate: civilDate(start + 1) } },
  });
  expect(met?.id).toBe(missed?.id.replace(/-1$/, "-2"));
  expect(receiver.rejected).toEqual([]);
});
