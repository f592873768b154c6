import { expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import type { AndroidIncidentJson } from "../../src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { civilDate, formatDay } from "../../src/model/day.js";
import { incidentsOf } from "../support/data/delivery-data.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { entriesOnceThey, importBatch } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { PROJECT } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

const DAYS = 42;
/** The traffic ends yesterday. */
const START = TODAY - DAYS;
const LABELS = ["news", "promo"];
/** Number of days with messages of each app. */
const APPS = { steady: DAYS, stopped: DAYS - 9 };
const STOPPED = START + APPS.stopped;

const test = serving
  .extend("traffic", { scope: "file", auto: true }, async ({ server, editor }) => {
    for (const [appId, days] of Object.entries(APPS)) {
      const of = { appId, startDay: START, days, labels: LABELS, messages: 100, delivered: () => 0.9 };
      for (const lines of faultyTraffic(of)) await importBatch(server, editor, lines);
      await entriesOnceThey(server, editor, appId, ({ length }) => length === days * LABELS.length);
    }
  })
  .extend("listed", ({ server, viewer }) => async (filter: string) => {
    const target = `${incidentsOf("-")}?filter=${encodeURIComponent(filter)}`;
    const { status, text } = await send(server.messagingDataUrl, target, { token: viewer });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return (JSON.parse(text) as { incidents?: AndroidIncidentJson[] }).incidents ?? [];
  });

test("an app that stops sending has a silence", async ({ listed }) => {
  expect(await listed("")).toEqual([
    {
      appId: "stopped",
      wholeApp: true,
      kind: "SILENCE",
      startDate: civilDate(STOPPED),
      usualMessageCount: "1800",
      usualLowMessageCount: expect.stringMatching(/^1[0-7][0-9]{2}$/),
      usualHighMessageCount: expect.stringMatching(/^(1[89]|2[0-9])[0-9]{2}$/),
      excessMessageCount: "1800",
      confidence: expect.any(Number),
      incidentId: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: expect.stringMatching(/\/androidApps\/stopped\/incidents\/[0-9a-f]{16}$/),
      state: "OPEN",
      etag: expect.any(String),
    },
  ]);
});

test("filters select incidents by kind", async ({ listed }) => {
  expect(await listed("kind = SILENCE AND NOT endDate:*")).toHaveLength(1);
  expect(await listed("kind = (FALL OR RISE)")).toEqual([]);
  expect(await listed("kind != SILENCE")).toEqual([]);
});

test("waybill incidents prints numbers of messages", async ({ server, viewer }) => {
  const target = ["--server", server.messagingDataUrl, "--project", PROJECT.id, "--token", viewer];
  const { code, stdout, stderr } = await runInProcess(["incidents", ...target, "--app", "stopped"]);
  expect([code, stderr]).toEqual([0, ""]);
  const [, row = ""] = stdout.trimEnd().split("\n");
  const cells = row.split(/ {2,}/);
  expect(cells.slice(0, 6)).toEqual([
    formatDay(STOPPED),
    "ongoing",
    "stopped",
    "(whole app)",
    "no messages",
    "1800",
  ]);
  expect(cells[7]).toBe("0");
});
