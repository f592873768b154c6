import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { dayOf } from "../../src/model/day.js";
import { demoTraffic } from "../../src/server/demo-traffic.js";
import { test } from "../support/browser/console.js";
import { ANDROID_APP, PROJECT } from "../support/project.js";

const IMAGES = fileURLToPath(new URL("../../docs/images/", import.meta.url));
/** The pictures show the traffic of the demo. */
const { apps: _demoApps, startDay: _startDay, ...TRAFFIC } = demoTraffic(dayOf(Date.now()));
const BAD_DAY = TRAFFIC.faults?.find(({ label }) => label === undefined)?.from;

test.override("traffic", TRAFFIC);

// Makes the pictures of the documentation. Keeps them only on request, because they differ from day to day.
test.for([
  ["light", (luminance: number) => luminance > 0.8],
  ["dark", (luminance: number) => luminance < 0.05],
] as const)(
  "the main view in %s colors marks the bad day of the demo",
  async ([colorScheme, isRight], { console, viewer }) => {
    const view = `?project=${PROJECT.id}&app=${encodeURIComponent(ANDROID_APP)}`;
    const watched = await console.signedIn(viewer, view, {
      colorScheme,
      viewport: { width: 1280, height: 1360 },
    });
    const { page } = watched;
    const standsOut = page
      .getByRole("region", { name: "Days that stand out" })
      .locator(`time[datetime="${BAD_DAY}"]`);
    // Later days that stand out may have taken its place in sight.
    await standsOut.waitFor({ state: "attached" });
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
