import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { AndroidIncidentJson } from "../../src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { dayOfJson, formatDay } from "../../src/model/day.js";
import { demoTraffic } from "../../src/server/demo.js";
import {
  chooseDays,
  chooseOfChart,
  type PageOptions,
  test as serving,
  urlParameters,
} from "../support/browser/console.js";
import { holdRequests } from "../support/browser/hold-requests.js";
import { layoutShiftsOf, noteLayoutShifts } from "../support/browser/layout-shifts.js";
import { signIn } from "../support/browser/sign-in.js";
import { untilSettled } from "../support/browser/watched-page.js";
import { countsIn, countText, percentText } from "../support/data/delivery-truth.js";
import { listIncidents } from "../support/data/incidents.js";
import { ANDROID_APP, PROJECT } from "../support/servers/project.js";
import { ago, TODAY } from "../support/today.js";

const IMAGES = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const VIEW = `?project=${PROJECT.id}&app=${encodeURIComponent(ANDROID_APP)}`;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** The pictures show the demo's traffic. */
const { apps: _demoApps, startDay: _startDay, ...TRAFFIC } = demoTraffic(TODAY);
/** Its two incidents: all messages on one day, and a label that does not recover. */
const [BAD_DAY, FALL] = (TRAFFIC.faults ?? []).map(({ from }) => from);

serving.override("traffic", TRAFFIC);
const test = serving
  .extend("open", ({ console, viewer }) => async (more = "", options: PageOptions = {}): Promise<Page> => {
    const page = await console.signedIn(viewer, VIEW + more, options);
    await page.getByRole("slider", { name: "Delivered share, by day" }).waitFor();
    return page;
  })
  /** Incidents on the 28 days in view, from the service. */
  .extend("incidents", ({ server, viewer }) => async (): Promise<readonly AndroidIncidentJson[]> => {
    return listIncidents(server, viewer, `endDate >= "${ago(28)}" OR NOT endDate:*`);
  });

/** Formats a date as `2026-11-10`. */
const isoOf = (date: AndroidIncidentJson["startDate"] & object): string => formatDay(dayOfJson(date));

const figuresOf = ({ observedPercent, usualPercent, excessMessageCount }: AndroidIncidentJson): string =>
  `${percentText(Number(observedPercent), 100)}, usually ${percentText(Number(usualPercent), 100)}. ` +
  `About ${countText(Number(excessMessageCount))} more messages than usual were not delivered.`;

/** The first sentence on the page. */
const sentence = (page: Page) => page.getByRole("heading", { level: 2 }).first();

describe("the demo's overview", () => {
  test("shows the blamed label's share while the cursor is on its incident, on the same scale", async ({
    open,
  }) => {
    const page = await open();
    const cursor = page.getByRole("slider", { name: "Delivered share, by day" });
    const label = page.locator("[data-label=promo]");
    const card = page.getByRole("region", { name: "Delivered share" });
    const axis = () => card.locator("[data-axis=values] text").allTextContents();
    // The label's shares load after the incidents, and extend the scale.
    await expect.poll(async () => (await axis())[0]).toBe("20%");
    const before = await axis();
    await cursor.press("End");
    await label.locator("path[d^=M]").waitFor({ state: "attached" });
    expect(await label.textContent()).toBe("promo");
    expect(await axis()).toEqual(before);
    await cursor.press("Home");
    await label.waitFor({ state: "detached" });
    const { x = 0, y = 0, width = 0, height = 0 } = (await cursor.boundingBox()) ?? {};
    await page.mouse.move(x + width - 10, y + height / 2);
    await label.waitFor({ state: "attached" });
  });

  test("lists incidents first, and marks them in the charts", async ({ open, incidents, truth }) => {
    const page = await open();
    const all = await incidents();
    const fall = all.find(({ analyticsLabel }) => analyticsLabel === "promo");
    const bad = all.find(({ wholeApp, startDate }) => wholeApp && isoOf(startDate ?? {}) === BAD_DAY);
    expect([isoOf(fall?.startDate ?? {}), fall?.endDate, bad?.wholeApp]).toEqual([FALL, undefined, true]);

    const { delivered, countMessagesAccepted } = countsIn(truth.filter(({ date }) => isoOf(date) >= ago(28)));
    const share = percentText(delivered, countMessagesAccepted);
    const items = page.getByRole("listitem").filter({ hasText: " more messages than usual" });
    await items.first().waitFor();
    expect(await sentence(page).innerText()).toBe(`${share} delivered, with ${all.length} incidents`);
    const since = new Date(String(FALL)).toLocaleDateString("en-US", {
      dateStyle: "medium",
      timeZone: "UTC",
    });
    expect(await items.first().innerText()).toBe(
      `promo fell on ${since} and has not recovered: ${figuresOf(fall ?? {})}`,
    );
    const texts = await items.allTextContents();
    expect(texts).toContainEqual(expect.stringMatching(/^The whole app fell on /));
    expect(texts).toContainEqual(expect.stringContaining(figuresOf(bad ?? {})));

    for (const chart of ["Delivered share", "Outcomes"]) {
      const cursor = page.getByRole("slider", { name: `${chart}, by day` });
      await cursor.press("End");
      expect(await cursor.getAttribute("aria-valuetext")).toContain(`promo fell on ${since}`);
      await cursor.press("Home");
      await cursor.press("ArrowRight");
      expect(await cursor.getAttribute("aria-valuetext")).not.toContain("The whole app");
      await cursor.press("ArrowRight");
      expect(await cursor.getAttribute("aria-valuetext")).toContain("The whole app fell on ");
    }
    await chooseOfChart(page, "Delivered share", "Show as table");
    const row = page.getByRole("row").filter({ has: page.locator(`time[datetime="${BAD_DAY}"]`) });
    expect(await row.first().innerText()).toContain("incident");
  });

  test("links a label's incident to the label's overview, from 14 days before", async ({
    open,
    incidents,
  }) => {
    const page = await open();
    const fall = (await incidents()).find(({ analyticsLabel }) => analyticsLabel === "promo");
    await page.getByRole("link", { name: /^promo fell on/ }).press("Enter");
    await page.waitForURL(({ searchParams }) => searchParams.get("label") === "promo");
    const first = formatDay(dayOfJson(fall?.startDate ?? {}) - 14);
    // The incident is ongoing, so the view has no end date.
    expect(await urlParameters(page, "from", "to")).toEqual([first, null]);
    await page
      .getByText(figuresOf(fall ?? {}))
      .first()
      .waitFor();
  });

  test("shows in a label's view that an incident's figures are of the whole app", async ({ open }) => {
    const page = await open("&label=promo&days=90");
    const ofApp = page.getByRole("listitem").filter({ hasText: "The whole app fell on" }).first();
    await ofApp.getByText("These figures are for the whole app, with all labels.").waitFor();
  });

  test("describes days without incidents as usual, unless there are too few days to evaluate", async ({
    console,
    viewer,
    newPage,
  }) => {
    const page = await newPage();
    await page.route("**/incidents?*", (route) => route.fulfill({ json: {} }));
    // By chance, the demo's last seven days may differ from the seven days before. Here, all days have the same figures.
    let counts: object | undefined;
    await page.route("**/deliveryData:aggregate?*", async (route) => {
      const response = await route.fetch();
      const { groups = [] }: { groups?: { counts?: object }[] } = await response.json();
      counts ??= groups[0]?.counts;
      await route.fulfill({ response, json: { groups: groups.map((group) => ({ ...group, counts })) } });
    });
    await page.goto(`${console.url}${VIEW}&from=${ago(75)}&to=${ago(66)}`);
    await signIn(page, viewer);
    await page.getByText("No incidents found.").waitFor();
    expect(await sentence(page).innerText()).toMatch(/^\d\d\.\d% delivered$/);
    await chooseDays(page, "7 days");
    await sentence(page)
      .getByText(/delivered, as usual$/)
      .waitFor();
    await page.getByText(/stayed within their usual range\.$/).waitFor();
  });

  test("explains its rules, with a link to the documentation", async ({ open }) => {
    const page = await open();
    const rule = page.getByRole("link", { name: "Learn more about incidents" });
    expect(await rule.isVisible()).toBe(false);
    await page.getByRole("button", { name: "How is this decided?" }).press("Enter");
    await rule.press("Enter");
    await page.waitForURL(/\/docs\/concepts\/incidents$/);
    await page.getByRole("heading", { level: 1, name: "Incidents" }).waitFor();
  });

  test.for([
    ["a desktop", DESKTOP, { chart: 350, outcomes: 800 }],
    ["a phone", PHONE, { chart: 500, outcomes: 1_350 }],
  ] as const)(
    "shows the state of delivery on the first screen of %s, without layout shifts",
    async ([_, viewport, below], { console, viewer, newPage }) => {
      const page = await newPage({ viewport });
      await noteLayoutShifts(page);
      const release = await holdRequests(page, "**/incidents?*");
      await page.addInitScript((token) => sessionStorage.setItem("waybill.accessToken", token), viewer);
      await page.goto(console.url + VIEW);
      const chart = page.getByRole("slider", { name: "Delivered share, by day" });
      await chart.waitFor();
      release();
      await page
        .getByText(/^promo fell on/)
        .first()
        .waitFor();
      const shifts = await layoutShiftsOf(page);
      expect(shifts.reduce((sum, { value }) => sum + value, 0)).toBeLessThan(0.02);

      const topOf = async (locator: ReturnType<Page["locator"]>): Promise<number> =>
        (await locator.boundingBox())?.y ?? Number.NaN;
      expect(await topOf(sentence(page))).toBeLessThan(250);
      expect(await topOf(chart)).toBeLessThan(below.chart);
      expect(await topOf(page.getByRole("heading", { name: "Outcomes" }))).toBeLessThan(below.outcomes);
    },
  );
});

// Creates screenshots for the docs. Keeps them only on request, because they change every day.
test.for([
  ["light", (luminance: number) => luminance > 0.8],
  ["dark", (luminance: number) => luminance < 0.05],
] as const)(
  "the main view in %s colors shows the demo incidents",
  async ([colorScheme, isRight], { open }) => {
    const page = await open("", { colorScheme, viewport: { width: 1280, height: 1360 } });
    for (const subject of ["promo", "The whole app"])
      await page.getByRole("link", { name: `${subject} fell on ` }).waitFor({ state: "attached" });
    await untilSettled(page);
    const picture = await page.screenshot();
    expect(isRight(await luminanceOf(page))).toBe(true);
    if (process.env.WAYBILL_SCREENSHOTS !== undefined) {
      await writeFile(`${IMAGES}console-${colorScheme}.png`, picture);
    }
  },
);

/** Relative luminance of the page background, from 0 to 1 (WCAG 2.2). */
async function luminanceOf(page: Page): Promise<number> {
  const color = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(
    (part) => (Number(part) / 255) ** 2.2,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
