import { expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { civilDate, formatDay } from "../../src/model/day.js";
import { importSimulation } from "../support/data/simulated-traffic.js";
import { test } from "../support/servers/fixtures.js";
import { ANDROID_APP, PROJECT } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

const DAYS = 60;
/** The traffic ends yesterday, and the incident continues. */
const START = TODAY - DAYS;
const FAULT = START + 50;

test("waybill incidents lists an incident in the simulator's traffic", async ({ server, editor, viewer }) => {
  const simulation = {
    apps: [ANDROID_APP],
    startDay: formatDay(START),
    days: DAYS,
    messages: 24_000,
    labels: 2,
    seed: 5,
    faults: [{ label: "order_status", from: formatDay(FAULT), delivered: 0.2 }],
  };
  await importSimulation(server, editor, simulation, { batchBytes: 60 * 1024 * 1024 });
  const target = ["--server", server.messagingDataUrl, "--project", PROJECT.id, "--app", ANDROID_APP];
  const flags = [...target, "--token", viewer, "--label", "order_status", "--ongoing", "--format", "json"];
  const { code, stdout, stderr } = await runInProcess(["incidents", ...flags]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({
      appId: ANDROID_APP,
      analyticsLabel: "order_status",
      outcome: "DELIVERED",
      startDate: civilDate(FAULT),
    }),
  ]);
});
