import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { visitFromAfar } from "../console/far-viewer.js";
import { longestTask, noteLongTasks, runCalibratedTask } from "../console/long-tasks.js";
import { LARGE_APP, LARGE_APP_ENTRIES, manyEvents, type Use, usesOf } from "../console/many-entries.js";
import { compare, multipleLine, timeLine } from "../support/measurement.js";
import { progress } from "../support/progress.js";
import type { Row } from "../support/row.js";
import { PROJECT, startWaybill, type WaybillServer } from "../support/waybill-server.js";

/** Places of Chromium in Debian's packages. */
const EXECUTABLES = ["/usr/bin/chromium", "/usr/lib/chromium/chromium-headless-shell"];
/** Maximum duration of a task, as a multiple of the calibrated task. */
const MOST = 1;
/** Maximum number of round trips from sign-in to the first figures: 2.5 s at a latency of 400 ms. */
const MOST_ROUND_TRIPS = 6.25;
/** Maximum size of the page's files on the first visit, in KB. */
const MOST_KB = 200;
/** Yesterday in Los Angeles, or the day before. */
const LAST_DAY = Math.floor((Date.now() - 8 * 3_600_000) / 86_400_000) - 1;

/**
 * The longest task in each part of the console with many entries, compared with a task with a constant amount of work;
 * the time from sign-in to figures over a slow connection, compared with one request; and transferred bytes of the first visit.
 */
export const consoleRow: Row = {
  name: "console",
  needs: { command: "chromium", places: EXECUTABLES, install: "apt-get install chromium" },
  measure: async ({ runs }, directory) => {
    const server = await startWaybill(directory);
    const browser = await chromium.launch({
      executablePath: EXECUTABLES.find(existsSync) ?? "chromium",
      args: ["--no-sandbox", "--disable-gpu"],
    });
    try {
      await importAll(server);
      const lines = [];
      for (const use of usesOf(LAST_DAY)) {
        progress(`  ${use.part}`);
        const calibrated: number[] = [];
        const comparison = await compare(
          runs,
          async (run) => {
            const { longest, reference } = await measureUse(browser, server, use);
            calibrated[run] = reference;
            return longest;
          },
          // The calibrated task was measured in the same page.
          async (run) => calibrated[run] ?? Number.NaN,
        );
        lines.push(timeLine(`longest task with 2,000 labels and 365 days: ${use.part}`, comparison, MOST));
      }
      progress("  sign-in over a slow connection");
      const requests: number[] = [];
      let bytes = 0;
      const start = await compare(
        runs,
        async (run) => {
          const visit = await visitFromAfar(browser, server);
          requests[run] = visit.request;
          bytes = visit.bytes;
          return visit.toFigures;
        },
        // The request was measured in the same page.
        async (run) => requests[run] ?? Number.NaN,
      );
      lines.push(
        timeLine("sign-in to figures at a latency of 400 ms, in round trips", start, MOST_ROUND_TRIPS),
        multipleLine("files of the first visit, of all parts", bytes / 1_000, MOST_KB, "KB", 1),
      );
      return lines;
    } finally {
      await browser.close();
      await server.stop();
    }
  },
};

/** Measures an interaction on a new page. Returns the longest task, and that of the calibrated one, in milliseconds. */
async function measureUse(browser: Browser, server: WaybillServer, { view, use }: Use) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  try {
    await noteLongTasks(context);
    const page = await context.newPage();
    await page.goto(`${server.messagingDataUrl}/console/${view}`);
    await page.getByLabel("Access token", { exact: true }).fill(server.token);
    await runCalibratedTask(page);
    const before = await longestTask(page);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await use(page);
    const longest = await longestTask(page);
    await runCalibratedTask(page);
    return { longest, reference: (before + (await longestTask(page))) / 2 };
  } finally {
    await context.close();
  }
}

/** Imports the events, and waits until the large app's events are listed. */
async function importAll({ messagingDataUrl, token }: WaybillServer): Promise<void> {
  const parent = `${messagingDataUrl}/v1beta1/projects/${PROJECT}`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" };
  const body = manyEvents(LAST_DAY)
    .map((event) => `${JSON.stringify(event)}\n`)
    .join("");
  const imported = await fetch(`${parent}/messageEvents:import`, { method: "POST", headers, body });
  if (!imported.ok) throw new Error(await imported.text());
  const list = `${parent}/androidApps/${LARGE_APP}/deliveryData?pageSize=10000`;
  for (let listed = 0; listed < LARGE_APP_ENTRIES; ) {
    const page = (await (await fetch(list, { headers })).json()) as {
      androidDeliveryData?: readonly object[];
    };
    listed = page.androidDeliveryData?.length ?? 0;
  }
}
