import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { formatDay } from "../../src/model/day.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { entriesOnceThey, importBatch } from "../support/data/import.js";
import { jsonCalls } from "../support/http/json-calls.js";
import { test } from "../support/servers/fixtures.js";
import { PROJECT } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

test("waybill report writes a report with apps, incidents, missed targets and annotations", async ({
  server,
  editor,
  directory,
}) => {
  const call = jsonCalls(server.messagingDataUrl, editor);
  const days = 28;
  const yesterday = TODAY - 1;
  const startDay = yesterday - days + 1;
  // A Sunday: 1970-01-04 was one.
  const sunday = yesterday - ((yesterday - 3) % 7);
  const [monday, falls] = [sunday - 6, sunday - 5];
  const delivered = (_label: string, day: number) => (day >= falls ? 0.4 : 0.9);
  for (const lines of faultyTraffic({
    appId: "shop",
    delivered,
    startDay,
    days,
    labels: ["promo"],
    messages: 200,
  }))
    await importBatch(server, editor, lines);
  await entriesOnceThey(server, editor, "shop", ({ length }) => length === days);
  for (const target of [
    { appId: "shop", deliveredPercent: 85 },
    { appId: "shop", analyticsLabel: "promo", deliveredPercent: 80 },
  ])
    expect((await call("POST", `projects/${PROJECT.id}/targets`, target)).status).toBe(200);
  const [year, month, day] = formatDay(monday).split("-").map(Number);
  const annotation = { date: { year, month, day }, kind: "RELEASE", text: "Release 4.2" };
  expect((await call("POST", `projects/${PROJECT.id}/annotations`, annotation)).status).toBe(200);

  const flags = ["--project", PROJECT.id, "--server", server.messagingDataUrl, "--token", editor];
  const out = join(directory, "report.md");
  const written = await runInProcess(["report", ...flags, "--out", out]);
  expect(written).toEqual({ code: 0, stdout: "", stderr: "" });
  const text = await readFile(out, "utf8");
  expect(text).toContain(`# Delivery of ${PROJECT.id}, ${formatDay(monday)} to ${formatDay(sunday)}`);
  expect(text).toMatch(/^\| shop \| 1,400 \| 1,400 \| 4\d\.\d % \| −4\d\.\d points, worse \|$/m);
  expect(text).toMatch(new RegExp(`^\\* ${formatDay(falls)}, ongoing: shop, .*delivered fell to`, "m"));
  const missed = Array.from({ length: 6 }, (_, index) => formatDay(falls + index)).join(", ");
  expect(text).toContain(`* shop, whole app: below 85.0 % on ${missed}`);
  expect(text).toContain(`* shop, label promo: below 80.0 % on ${missed}`);
  expect(text).toContain(`* ${formatDay(monday)}: Release 4.2`);

  const earlier = await runInProcess(["report", ...flags, "--week", formatDay(monday - 7)]);
  expect(earlier.stdout).toContain(`${formatDay(monday - 7)} to ${formatDay(monday - 1)}`);
  expect(earlier.stdout).toContain("No annotations.");
});
