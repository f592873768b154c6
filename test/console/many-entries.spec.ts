import { expect } from "vitest";
import { LARGE_APP, LARGE_APP_ENTRIES, manyEvents, usesOf } from "../../bench/console/many-entries.js";
import { test } from "../support/browser/console.js";
import { importEvents } from "../support/data/import.js";
import { EDITOR } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

// `npm run bench -- console` measures responsiveness.

const LAST_DAY = TODAY - 1;

test.override("traffic", false);

test.beforeAll(async ({ server }) => {
  const awaited = { appId: LARGE_APP, entries: LARGE_APP_ENTRIES };
  await importEvents(server, await server.token(EDITOR), manyEvents(LAST_DAY), awaited);
});

test("with 2,000 labels, scrolling the label table shows more of them", async ({ console, viewer }) => {
  const page = await console.signedIn(viewer, `?app=${LARGE_APP}&tab=labels`);
  const table = page.getByRole("region", { name: "Labels, table", exact: true });
  for (const shown of [24, 48, 72]) {
    await page.getByText(`${shown} of 2,000 labels`, { exact: true }).waitFor();
    await table
      .locator("tbody tr")
      .nth(shown - 1)
      .waitFor({ state: "attached" });
    expect((await table.boundingBox())?.height).toBeLessThanOrEqual(720);
    if (shown < 72) await table.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await table.boundingBox())?.height).toBeGreaterThan(2_000);
});

test.for(usesOf(LAST_DAY))(
  "with 2,000 labels and 365 days, $part stays responsive",
  async ({ view, use }, { console, viewer }) => {
    await use(await console.signedIn(viewer, view));
  },
);
