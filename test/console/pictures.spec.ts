import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { isoDate } from "../../console/src/model/days/day-range.js";
import { dayOf } from "../../src/model/day.js";
import { test } from "../support/browser/console.js";
import { entriesOf, ndjson, postEvents } from "../support/import.js";
import { poll } from "../support/poll.js";
import { ANDROID_APP, PROJECT } from "../support/project.js";

const IMAGES = fileURLToPath(new URL("../../docs/images/", import.meta.url));
/** An unusual loss on one day, of one label. */
const OUTAGE_DAY = isoDate(dayOf(Date.now()) - 9);
const LOST = 260;
const OUTAGE_LABEL = "outage";

test.override("traffic", { days: 90, messages: 40_000, labels: 8 });

test.beforeAll(async ({ server, editor, viewer, truth: _listed }) => {
  const events = Array.from({ length: LOST }, (_, index) => ({
    appId: ANDROID_APP,
    messageId: `lost-${index}`,
    eventTime: `${OUTAGE_DAY}T20:00:00Z`,
    analyticsLabel: OUTAGE_LABEL,
    usageReportingOptIn: true,
  })).flatMap((event) => [
    { ...event, eventType: "ACCEPTED" },
    { ...event, eventType: "DROPPED_TTL_EXPIRED" },
  ]);
  await postEvents(server, editor, ndjson(events));
  await poll(
    () => entriesOf(server, viewer, ANDROID_APP),
    (entries) => entries.some(({ analyticsLabel }) => analyticsLabel === OUTAGE_LABEL),
  );
});

// Makes the pictures of the documentation. Keeps them only on request, because they differ from day to day.
test.for([
  ["light", (luminance: number) => luminance > 0.8],
  ["dark", (luminance: number) => luminance < 0.05],
] as const)(
  "the main view in %s colors marks an outage",
  async ([colorScheme, isRight], { console, viewer }) => {
    const view = `?project=${PROJECT.id}&app=${encodeURIComponent(ANDROID_APP)}`;
    const watched = await console.signedIn(viewer, view, {
      colorScheme,
      viewport: { width: 1280, height: 1360 },
    });
    const { page } = watched;
    const standsOut = page
      .getByRole("region", { name: "Days that stand out" })
      .locator(`time[datetime="${OUTAGE_DAY}"]`);
    await standsOut.waitFor();
    await page.waitForLoadState("networkidle");
    const picture = await page.screenshot();
    expect(isRight(await luminanceOf(page))).toBe(true);
    expect(watched.problems()).toEqual([]);
    if (process.env.WAYBILL_SCREENSHOTS !== undefined) {
      await writeFile(`${IMAGES}console-${colorScheme}.png`, picture);
    }
    await watched.close();
  },
);

/** The relative luminance of the page's background, from 0 to 1 (WCAG 2.2). */
async function luminanceOf(page: Page): Promise<number> {
  const color = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(
    (part) => (Number(part) / 255) ** 2.2,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
