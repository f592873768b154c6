import { expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { civilDate, dayOfCivil, formatDay, startOfDay } from "../../src/model/day.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { importBatch } from "../support/data/import.js";
import { jsonCalls } from "../support/http/json-calls.js";
import { poll } from "../support/poll.js";
import { BASE_CONFIG, EDITOR, PROJECT } from "../support/servers/project.js";
import { setClock } from "../support/servers/set-clock.js";
import { test as serving } from "../support/servers/webhook-server.js";

const MONDAY = dayOfCivil(2026, 5, 4);
const SUNDAY = MONDAY + 6;

const test = serving
  /** A configuration with a webhook for reports, and one for other events. */
  .extend("reporting", ({ receiver, secretFile }) => {
    const webhooks = [
      { name: "team", url: `${receiver.origin}/team`, secretFile, events: ["reports"] },
      { name: "on-call", url: `${receiver.origin}/on-call`, secretFile },
    ];
    return { ...BASE_CONFIG, clock: { adjustable: true }, messagingData: { incidents: { webhooks } } };
  });

const at = (time: number): string => new Date(time).toISOString();

test("a webhook gets each week's report once, when its Sunday is listed, also after a restart", async ({
  startServer,
  reporting,
  receiver,
}) => {
  const received = async (count: number) => {
    const reports = () => receiver.received.filter(({ body }) => body.type === "report.weekly");
    return poll(reports, ({ length }) => length === count);
  };
  const first = await startServer(reporting, ["--clock", at(startOfDay(SUNDAY))]);
  // The last second of Sunday.
  await setClock(first, { time: at(startOfDay(SUNDAY + 1) - 1_000), rate: 0 });
  const editor = await first.token(EDITOR);
  const call = jsonCalls(first.messagingDataUrl, editor);
  const target = { appId: "shop", analyticsLabel: "promo", deliveredPercent: 85 };
  expect((await call("POST", `projects/${PROJECT.id}/targets`, target)).status).toBe(200);
  const annotation = { date: civilDate(MONDAY), kind: "RELEASE", text: "Release 4.2" };
  expect((await call("POST", `projects/${PROJECT.id}/annotations`, annotation)).status).toBe(200);
  const of = { appId: "shop", labels: ["promo"], messages: 100 };
  const delivered = (_label: string, day: number) => (day > MONDAY + 2 ? 0.5 : 1);
  const traffic = faultyTraffic({ ...of, startDay: MONDAY - 21, days: 28, delivered });
  for (const lines of traffic) await importBatch(first, editor, lines);
  const [earlier] = await received(1);
  expect(earlier?.body.data.id).toBe(formatDay(MONDAY - 7));

  await setClock(first, { time: at(startOfDay(SUNDAY + 1)) });
  const [, report] = await received(2);
  expect(report?.body.data).toEqual({
    id: formatDay(MONDAY),
    project: { name: `projects/${PROJECT.number}`, projectId: PROJECT.id },
    report: {
      firstDate: civilDate(MONDAY),
      lastDate: civilDate(SUNDAY),
      acceptedMessageCount: "700",
      deliveredPercent: expect.any(Number),
      markdown: expect.any(String),
    },
  });
  const flags = ["--project", PROJECT.id, "--server", first.messagingDataUrl, "--token", editor];
  const { stdout } = await runInProcess(["report", ...flags, "--week", formatDay(MONDAY)]);
  const { markdown, deliveredPercent } = report?.body.data.report ?? {};
  expect(markdown).toBe(stdout);
  expect(stdout).toContain(`700 accepted messages, ${Number(deliveredPercent).toFixed(1)} % delivered`);
  expect(stdout).toContain("label promo: below 85.0 %");
  expect(stdout).toContain("Release 4.2");
  await first.stop();

  const second = await startServer(reporting, ["--clock", at(startOfDay(SUNDAY + 8))]);
  const next = await second.token(EDITOR);
  for (const lines of faultyTraffic({ ...of, startDay: SUNDAY + 1, days: 7, delivered: () => 1 }))
    await importBatch(second, next, lines);
  await received(3);
  for (const day of [SUNDAY + 2, SUNDAY + 9]) await setClock(second, { time: at(startOfDay(day)) });
  await second.stop();
  const reports = await received(3);
  expect(reports.map(({ body }) => body.data.id)).toEqual([-7, 0, 7].map((days) => formatDay(MONDAY + days)));
  expect(new Set(reports.map(({ id }) => id)).size).toBe(3);
  expect(receiver.rejected).toEqual([]);
});
