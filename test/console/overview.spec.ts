import { withResolver } from "@waybill/client/support";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { dayOfCivil, formatDay } from "../../src/model/day.js";
import {
  chooseDays,
  chooseOfChart,
  keyFigure,
  readDays,
  test as serving,
  urlParameters,
} from "../support/browser/console.js";
import { holdRequests } from "../support/browser/hold-requests.js";
import { layoutShiftsOf, noteLayoutShifts } from "../support/browser/layout-shifts.js";
import { columnOf, readTable } from "../support/browser/page-table.js";
import { signIn } from "../support/browser/sign-in.js";
import { accepted, type Entry } from "../support/data/delivery-data.js";
import { entriesOf, importEvents } from "../support/data/import.js";
import { ANDROID_APP, PROJECT } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

/** A view with delivered messages in the outcomes chart. */
const WITH_DELIVERED = "&outcomes=all";
const VIEW = `?project=${PROJECT.id}&app=${encodeURIComponent(ANDROID_APP)}`;
const TOUCH = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** A day with many accepted messages and no further events. */
const OUTAGE = { day: TODAY - 5, label: "outage", messages: 150 } as const;

/** Categories in contract order, and unaccounted messages. */
const DROPPED = ["droppedTooManyPendingMessages", "droppedAppForceStopped", "droppedDeviceInactive"];
const OUTCOMES = ["delivered", "pending", "collapsed", ...DROPPED, "droppedTtlExpired", "unaccounted"];
const DELAYED = [
  "delayedDeviceOffline",
  "delayedDeviceDoze",
  "delayedMessageThrottled",
  "delayedUserStopped",
];
const PERFORMANCE = ["deliveredNoDelay", ...DELAYED];
const SKIPPED = ["skippedUnsupported", "skippedNotThrottled", "skippedUnconfigured", "skippedOptedOut"];
const PROXY_RESULTS = ["proxied", "failed", ...SKIPPED, "unaccountedNotifications"];

const test = serving
  .extend("entries", { scope: "file" }, async ({ server, editor, viewer, truth }) => {
    const time = new Date(OUTAGE.day * 86_400_000 + 20 * 3_600_000).toISOString();
    const lost = Array.from({ length: OUTAGE.messages }, () => accepted(ANDROID_APP, time, OUTAGE.label));
    await importEvents(server, editor, lost, { appId: ANDROID_APP, entries: truth.length + 1 });
    return entriesOf(server, viewer, ANDROID_APP);
  })
  .extend("open", ({ console, viewer }) => async (more = "", shown = "Outcomes"): Promise<Page> => {
    const page = await console.signedIn(viewer, VIEW + more);
    await page.getByRole("slider", { name: `${shown}, by day` }).waitFor();
    return page;
  })
  /** Opens the overview on a touch screen. Returns its first chart and a function that touches it. */
  .extend("openTouched", ({ console, viewer }) => async () => {
    const page = await console.signedIn(viewer, VIEW, TOUCH);
    const cursor = page.getByRole("slider", { name: "Delivered share, by day" });
    await cursor.waitFor();
    const session = await page.context().newCDPSession(page);
    let count = 0;
    /** Puts fingers on the screen, moves them, and lifts all other fingers. */
    const touch = async (...fingers: { x: number; y: number }[]): Promise<void> => {
      const type = fingers.length === 0 ? "touchEnd" : fingers.length > count ? "touchStart" : "touchMove";
      count = fingers.length;
      const touchPoints = fingers.map((finger, id) => ({ ...finger, id }));
      await session.send("Input.dispatchTouchEvent", { type, touchPoints });
    };
    return { page, cursor, touch };
  })
  /** Sums by day, newest first. */
  .extend("byDay", ({ entries }) => (): Map<number, Counts> => {
    const days = new Map<number, Counts>();
    for (const entry of entries) {
      const day = epochDay(entry);
      days.set(day, sumOf([days.get(day) ?? {}, countsOf(entry)]));
    }
    return days;
  });

test.beforeAll(({ entries: _imported }) => {});

describe("the key figures", () => {
  test("match the simulated traffic and other imported events", async ({ truth, open }) => {
    const page = await open();
    const simulated = sumOf(truth.map(countsOf));
    const all = { ...simulated, accepted: count(simulated, "accepted") + OUTAGE.messages };
    await expectFigures(page, all);
  });

  test("include the chosen days, and show changes since the days before", async ({ open, entries }) => {
    const page = await open("&days=7");
    const now = sumOf(entries.filter((entry) => epochDay(entry) >= TODAY - 7).map(countsOf));
    const week = entries.filter((entry) => epochDay(entry) >= TODAY - 14 && epochDay(entry) < TODAY - 7);
    const before = sumOf(week.map(countsOf));
    await expectFigures(page, now);
    const changes = await changesOf(page);
    const points = (name: string): string =>
      signed(tenths(percent(now, name)) - tenths(percent(before, name))).concat(" pts");
    const relative = (name: string): string =>
      signed((100 * (count(now, name) - count(before, name))) / count(before, name)).concat("%");
    expect(changes).toEqual([
      relative("accepted"),
      relative("notifications"),
      points("delivered"),
      points("deliveredNoDelay"),
      points("unaccounted"),
    ]);
  });

  test.for<[what: string, from: number, change: string]>([
    ["if the days before are missing in part", 20, "8 of 20 earlier days"],
    ["if there are no days before", 28, "no earlier data"],
  ])("show no change of counts %s", async ([_, from, change], { open }) => {
    const page = await open(`&from=${formatDay(TODAY - from)}&to=${formatDay(TODAY - 1)}`);
    expect((await changesOf(page)).slice(0, 2)).toEqual([change, change]);
  });

  test("include days up to the last listed day, which the date fields show", async ({ open, entries }) => {
    const page = await open(`&from=${formatDay(TODAY - 7)}&to=${formatDay(TODAY + 30)}`);
    expect((await readDays(page))[1]).toBe(formatDay(TODAY - 1));
    await expectFigures(page, sumOf(entries.filter((entry) => epochDay(entry) >= TODAY - 7).map(countsOf)));
    expect((await changesOf(page))[0]).toMatch(/^[+−]?\d+\.\d%$/);
  });
});

describe("a chart", () => {
  test.for<[chart: string, names: readonly string[], of: "accepted" | "notifications"]>([
    ["Outcomes", OUTCOMES, "accepted"],
    ["Delivery performance", PERFORMANCE, "accepted"],
    ["Insights", ["priorityLowered"], "accepted"],
    ["Proxied notifications", PROXY_RESULTS, "notifications"],
  ])(
    "of %s can be shown as a table with figures from the API",
    async ([chart, names, of], { open, byDay, entries }) => {
      const page = await open(WITH_DELIVERED);
      await chooseOfChart(page, chart, "Show as table");
      const rows = await rowsOf(page.getByRole("table", { name: new RegExp(`^${chart}, by day`) }));
      const cells = (counts: Counts): string[] => [
        number(count(counts, of)),
        ...names.map((name) => `${share(counts, name, of)} (${number(count(counts, name))})`),
      ];
      expect(rows.slice(1)).toEqual([
        ...[...byDay().values()].map(cells),
        cells(sumOf(entries.map(countsOf))),
      ]);
    },
  );

  test("of accepted messages can be shown as a table of counts", async ({ open, byDay, entries }) => {
    const page = await open();
    await chooseOfChart(page, "Accepted by day", "Show as table");
    const rows = await rowsOf(page.getByRole("table", { name: /^Accepted by day, by day/ }));
    const cells = (counts: Counts): string[] => [
      number(count(counts, "accepted")),
      number(count(counts, "notifications")),
    ];
    expect(rows.slice(1)).toEqual([...[...byDay().values()].map(cells), cells(sumOf(entries.map(countsOf)))]);
  });

  test("can be read day by day with the keyboard", async ({ open, byDay }) => {
    const page = await open();
    const cursor = page.getByRole("slider", { name: "Accepted by day, by day" });
    const days = [...byDay().values()].reverse();
    const read = async (): Promise<string | null> => cursor.getAttribute("aria-valuetext");
    const reading = (day: number): string => {
      const counts = days.at(day) ?? {};
      return `Accepted messages ${number(count(counts, "accepted"))}, Notifications ${number(count(counts, "notifications"))}`;
    };
    await cursor.focus();
    for (const [key, day] of [
      ["Home", 0],
      ["ArrowRight", 1],
      ["ArrowRight", 2],
      ["PageUp", 9],
      ["ArrowLeft", 8],
      ["End", -1],
      ["ArrowRight", -1],
    ] as const) {
      await cursor.press(key);
      expect(await read(), key).toContain(reading(day));
    }
    const tooltip = cursor.getByText("Notifications");
    expect(await tooltip.isVisible()).toBe(true);
    await cursor.press("Escape");
    expect(await tooltip.count()).toBe(0);
  });

  test("shows its tooltip below the chart on a small touch screen", async ({ console, viewer }) => {
    const page = await console.signedIn(viewer, VIEW, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    });
    const cursor = page.getByRole("slider", { name: "Outcomes, by day" });
    await cursor.tap();
    const { x, y, width, height } = (await cursor.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const box = await cursor.locator("[data-tooltip]").boundingBox();
    expect(box?.y).toBeGreaterThan(y + height);
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(x + width);
    await page.getByRole("heading", { name: "Outcomes" }).tap();
    await cursor.locator("[data-tooltip]").waitFor({ state: "detached" });
  });

  test("of notifications is omitted if there are no notifications", async ({ open }) => {
    const page = await open(`&label=${OUTAGE.label}`);
    const [state, ...headings] = await page.getByRole("heading", { level: 2 }).allTextContents();
    expect(state).toMatch(/^0\.0% delivered/);
    expect(headings).toEqual([
      "Delivered share",
      "Outcomes",
      "Accepted by day",
      "Delivery performance",
      "Insights",
    ]);
    await expectFigures(page, { accepted: OUTAGE.messages });
  });

  test("is a single line if all shares are zero", async ({ open }) => {
    const page = await open(`&label=${OUTAGE.label}`);
    const insights = page.getByRole("region", { name: "Insights" });
    await insights.getByText("Priority lowered: 0.0% of accepted messages on every day.").waitFor();
    expect(await page.getByRole("slider", { name: "Insights, by day" }).count()).toBe(0);
  });
});

describe("navigation from a chart", () => {
  const outage = formatDay(OUTAGE.day);
  const before = formatDay(OUTAGE.day - 1);

  /** Tab and days from the URL. */
  const addressed = (page: Page) => urlParameters(page, "tab", "from", "to");

  /** A chart position, in page pixels. `up` is its height relative to the plot. */
  async function placeOf(cursor: Locator, day: number, up = 0.5): Promise<{ x: number; y: number }> {
    await cursor.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await cursor.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const index = 28 - (TODAY - day);
    return { x: x + ((index + 0.5) * width) / 28, y: y + height * (1 - up) };
  }

  test.for(["Delivered share", "Outcomes"])(
    "a click on a day of %s opens its labels",
    async (chart, { open }) => {
      const page = await open();
      const { x, y } = await placeOf(page.getByRole("slider", { name: `${chart}, by day` }), OUTAGE.day);
      await page.mouse.click(x, y);
      await page.getByRole("rowheader", { name: OUTAGE.label }).waitFor();
      expect(await addressed(page)).toEqual(["labels", outage, outage]);
      expect(await page.evaluate(() => [scrollY, document.activeElement?.id])).toEqual([0, "main"]);
      await page.goBack();
      await page.getByRole("slider", { name: `${chart}, by day` }).waitFor();
      expect(await addressed(page)).toEqual([null, null, null]);
    },
  );

  test("Enter opens the day's labels", async ({ open }) => {
    const page = await open();
    const cursor = page.getByRole("slider", { name: "Delivered share, by day" });
    await cursor.focus();
    for (let day = TODAY - 1; day > OUTAGE.day; day -= 1) await cursor.press("ArrowLeft");
    await cursor.press("Enter");
    await page.getByRole("rowheader", { name: OUTAGE.label }).waitFor();
    expect(await addressed(page)).toEqual(["labels", outage, outage]);
  });

  describe("on a segment of the outcomes chart", () => {
    const cursorOf = (page: Page): Locator => page.getByRole("slider", { name: "Outcomes, by day" });

    /** Waits for the label table. Returns its sorted column's title, direction and shares. */
    async function sortedColumnOf(page: Page): Promise<[string, string | null, number[]]> {
      await page.getByRole("table", { name: "Labels" }).waitFor();
      const heading = page.locator("[aria-sort]");
      const title = await heading.innerText();
      const shares = columnOf(await readTable(page, "Labels"), title).map(Number.parseFloat);
      return [title, await heading.getAttribute("aria-sort"), shares];
    }

    test.for<[outcome: string, up: number, sort: string]>([
      ["Unaccounted", 0.99, "-unaccounted"],
      ["Delivered", 0.01, "delivered"],
    ])("a click opens the labels, sorted by %s, worst first", async ([outcome, up, sort], { open }) => {
      const page = await open(WITH_DELIVERED);
      const { x, y } = await placeOf(cursorOf(page), OUTAGE.day, up);
      await page.mouse.move(x, y);
      await cursorOf(page).getByText(`sorted by ${outcome}`).waitFor();
      await page.mouse.click(x, y);
      const [title, direction, shares] = await sortedColumnOf(page);
      expect(await urlParameters(page, "tab", "from", "to", "sort")).toEqual([
        "labels",
        outage,
        outage,
        sort,
      ]);
      const sign = sort.startsWith("-") ? -1 : 1;
      expect([title, direction]).toEqual([outcome, sign < 0 ? "descending" : "ascending"]);
      expect(shares).toEqual([...shares].sort((a, b) => sign * (a - b)));
      expect(new Set(shares).size).toBeGreaterThan(1);
      await page.goBack();
      await cursorOf(page).waitFor();
    });

    test("Up and Down choose the segment, and Enter opens the labels sorted by it", async ({
      open,
      byDay,
    }) => {
      const page = await open(WITH_DELIVERED);
      const cursor = cursorOf(page);
      await cursor.focus();
      await cursor.press("End");
      const all = await cursor.getAttribute("aria-valuetext");
      const [counts = {}] = [...byDay().values()];
      const caveat = count(counts, "accepted") < 100 ? ". Fewer than 100 messages" : "";
      for (const [key, title, name] of [
        ["ArrowUp", "Delivered", "delivered"],
        ["ArrowUp", "Pending", "pending"],
        ["ArrowDown", "Delivered", "delivered"],
        ["ArrowDown", "Delivered", "delivered"],
      ] as const) {
        await cursor.press(key);
        const words = `: ${title} ${share(counts, name)} (${number(count(counts, name))})`;
        expect((await cursor.getAttribute("aria-valuetext"))?.split(words), key).toEqual([
          all?.split(":")[0],
          caveat,
        ]);
      }
      await cursor.press("Escape");
      await cursor.press("ArrowDown");
      expect(await cursor.getAttribute("aria-valuetext")).toContain(": Unaccounted for ");
      await cursor.press("ArrowDown");
      await cursor.press("Enter");
      const [title, direction, shares] = await sortedColumnOf(page);
      expect([title, direction]).toEqual(["Dropped: expired", "descending"]);
      expect(shares).toEqual([...shares].sort((a, b) => b - a));
    });

    test("Enter opens the labels sorted by the isolated category", async ({ open }) => {
      const page = await open("&category=pending");
      await cursorOf(page).press("Enter");
      const [title, direction] = await sortedColumnOf(page);
      expect([title, direction]).toEqual(["Pending", "descending"]);
    });
  });

  test("a tap shows the day's values, and a second tap opens its labels", async ({ console, viewer }) => {
    const page = await console.signedIn(viewer, VIEW, TOUCH);
    const cursor = page.getByRole("slider", { name: "Delivered share, by day" });
    await cursor.waitFor();
    const { x, y } = await placeOf(cursor, OUTAGE.day);
    await page.touchscreen.tap(x, y);
    await cursor.getByText("Tap again for the labels of this day").waitFor();
    expect(await addressed(page)).toEqual([null, null, null]);
    await page.touchscreen.tap(x, y);
    await page.getByRole("rowheader", { name: OUTAGE.label }).waitFor();
    expect(await addressed(page)).toEqual(["labels", outage, outage]);
  });

  test("two fingers select the days between them, and lifting one finger zooms in", async ({
    openTouched,
    byDay,
  }) => {
    const { page, cursor, touch } = await openTouched();
    const left = await placeOf(cursor, OUTAGE.day - 9);
    const right = await placeOf(cursor, OUTAGE.day - 4);
    const between = await placeOf(cursor, OUTAGE.day - 6);
    await touch(between);
    await touch(between, right);
    await touch(left, right);
    const days = Array.from({ length: 6 }, (_, at) => OUTAGE.day - 9 + at);
    const sum = sumOf(days.map((day) => byDay().get(day) ?? {}));
    await expect.poll(() => cursor.getAttribute("aria-valuetext")).toMatch(/, 6 days: /);
    expect(await cursor.getAttribute("aria-valuetext")).toContain(`(${number(count(sum, "delivered"))})`);
    await cursor.getByText("Lift a finger to zoom in.").waitFor();
    expect(await addressed(page)).toEqual([null, null, null]);
    await touch(left);
    await touch();
    await cursor.and(page.locator("[aria-valuemax='6']")).waitFor();
    expect(await addressed(page)).toEqual([null, formatDay(OUTAGE.day - 9), formatDay(OUTAGE.day - 4)]);
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);
    await page.goBack();
    await cursor.and(page.locator("[aria-valuemax='28']")).waitFor();
  });

  test("two fingers on one day do not zoom in", async ({ openTouched }) => {
    const { page, cursor, touch } = await openTouched();
    const { x, y } = await placeOf(cursor, OUTAGE.day);
    await touch({ x, y });
    await touch({ x, y }, { x: x + 2, y: y + 40 });
    await touch({ x, y });
    await touch();
    await cursor.getByText("Tap again for the labels of this day").waitFor();
    expect(await addressed(page)).toEqual([null, null, null]);
  });

  test("moving a finger up scrolls the page, and moving it sideways selects other days", async ({
    openTouched,
  }) => {
    const { page, cursor, touch } = await openTouched();
    const { x, y } = await placeOf(cursor, OUTAGE.day - 9);
    await touch({ x, y });
    for (const move of [20, 60, 100]) await touch({ x: x + move, y });
    await touch();
    await expect
      .poll(async () => Number(await cursor.getAttribute("aria-valuenow")))
      .toBeGreaterThan(28 - 14);
    expect(await addressed(page)).toEqual([null, null, null]);

    const before = await page.evaluate(() => scrollY);
    await touch({ x, y });
    for (const move of [20, 60, 100, 140]) await touch({ x, y: y - move });
    await touch();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before + 60);
    expect(await addressed(page)).toEqual([null, null, null]);
  });

  test("dragging across days shows their total, and then zooms in", async ({ open, byDay }) => {
    const page = await open(WITH_DELIVERED);
    const cursor = page.getByRole("slider", { name: "Outcomes, by day" });
    const to = await placeOf(cursor, OUTAGE.day);
    const from = await placeOf(cursor, OUTAGE.day - 1);
    await page.mouse.move(to.x, to.y);
    await page.mouse.down();
    await page.mouse.move(from.x, from.y, { steps: 3 });
    expect(await page.evaluate(() => String(getSelection()))).toBe("");
    const sum = sumOf([OUTAGE.day - 1, OUTAGE.day].map((day) => byDay().get(day) ?? {}));
    await expect.poll(() => cursor.getAttribute("aria-valuetext")).toMatch(/, 2 days: /);
    expect(await cursor.getAttribute("aria-valuetext")).toContain(
      `Delivered ${share(sum, "delivered")} (${number(count(sum, "delivered"))})`,
    );
    await page.mouse.up();
    await page.locator("main [aria-busy=false]").waitFor();
    await cursor.and(page.locator("[aria-valuemax='2']")).waitFor();
    expect(await addressed(page)).toEqual([null, before, outage]);
    await expectFigures(page, sum);
  });

  test("Shift and arrow keys select days, Enter zooms in, and Escape cancels", async ({ open }) => {
    const page = await open();
    const cursor = page.getByRole("slider", { name: "Delivered share, by day" });
    await cursor.focus();
    await cursor.press("Home");
    await cursor.press("Shift+ArrowRight");
    expect(await cursor.getAttribute("aria-valuetext")).toContain(", 2 days: ");
    await cursor.press("Escape");
    expect(await cursor.getAttribute("aria-valuetext")).not.toContain(" days: ");
    for (let count = 0; count < 2; count += 1) await cursor.press("Shift+PageUp");
    await cursor.press("Enter");
    await cursor.and(page.locator("[aria-valuemax='15']")).waitFor();
    const first = TODAY - 27;
    expect(await addressed(page)).toEqual([null, formatDay(first), formatDay(first + 14)]);
  });
});

describe("without incidents", () => {
  test("figures are shown while incidents are loading, and after they have failed", async ({
    console,
    viewer,
    entries,
    newPage,
    problems,
  }) => {
    const page = await newPage();
    const { promise: asked, resolve: response } = withResolver();
    await page.route("**/incidents?*", async (route) => {
      await asked;
      await route.fulfill({
        status: 500,
        json: { error: { code: 500, message: "an unexpected error", status: "INTERNAL", details: [] } },
      });
    });
    await page.goto(`${console.url}${VIEW}`);
    await signIn(page, viewer);
    await page.getByRole("slider", { name: "Outcomes, by day" }).waitFor();
    await page.getByText("Loading incidents").waitFor();
    await expectFigures(page, sumOf(entries.map(countsOf)));
    response();
    await page.getByText("Could not load incidents.").waitFor();
    await expectFigures(page, sumOf(entries.map(countsOf)));
    await page.unroute("**/incidents?*");
    await page.getByRole("main").getByRole("button", { name: "Try again" }).click();
    await page.getByText("Could not load incidents.").waitFor({ state: "detached" });
    problems.length = 0;
  });
});

describe("while the overview is loading", () => {
  test.for([1280, 360])("no element moves at a width of %d, and no error occurs", async (width, { open }) => {
    const page = await open();
    await page.setViewportSize({ width, height: 900 });
    await noteLayoutShifts(page);
    const release = await holdRequests(page, /:aggregate/);
    await page.reload();
    await keyFigure(page, "Delivered").filter({ hasText: "–" }).waitFor();
    expect(await page.getByRole("slider").count()).toBe(0);
    release();
    await page.getByRole("slider", { name: "Insights, by day" }).waitFor();
    expect(await layoutShiftsOf(page)).toEqual([]);
  });

  test("the previous figures stay visible, with their days", async ({ open, entries }) => {
    const page = await open();
    const before = await keyFigure(page, "Accepted messages").textContent();
    const release = await holdRequests(page, /:aggregate/);
    await chooseDays(page, "7 days");
    await page.locator("main [aria-busy=true]").waitFor();
    expect(await keyFigure(page, "Accepted messages").textContent()).toBe(before);
    expect(await page.getByRole("slider", { name: "Outcomes, by day" }).getAttribute("aria-valuemax")).toBe(
      "28",
    );
    release();
    await page.locator("main [aria-busy=false]").waitFor();
    const week = entries.filter((entry) => epochDay(entry) >= TODAY - 7);
    await expectFigures(page, sumOf(week.map(countsOf)));
  });

  test("days without entries are reported as such", async ({ console, viewer }) => {
    const page = await console.signedIn(viewer, `${VIEW}&from=2020-01-01&to=2020-01-07`);
    await page.getByRole("heading", { name: "No entries in this view" }).waitFor();
  });
});

describe("the outcomes chart", () => {
  const legendOf = (page: Page): Promise<string[]> =>
    page.getByRole("region", { name: "Outcomes", exact: true }).locator("[data-series]").allTextContents();
  const cursorOf = (page: Page): Locator => page.getByRole("slider", { name: "Outcomes, by day" });
  const readingAt = async (page: Page): Promise<string> =>
    (await cursorOf(page).getAttribute("aria-valuetext")) ?? "";
  const axisOf = (page: Page): Promise<string[]> =>
    page
      .getByRole("figure", { name: "Outcomes", exact: true })
      .locator("[data-axis=values] text")
      .allTextContents();

  test("lists its categories in stack order, from the top", async ({ open }) => {
    const page = await open(WITH_DELIVERED);
    const titles = await legendOf(page);
    expect([titles.length, titles[0], titles.at(-1)]).toEqual([8, "Unaccounted for", "Delivered"]);
    const value = await readingAt(page);
    const places = titles.map((title) => value.indexOf(title));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test("omits delivered messages until the viewer adds them, and the URL contains this choice", async ({
    open,
  }) => {
    const page = await open();
    await page.getByRole("button", { name: "Undelivered only", pressed: true }).waitFor();
    expect(await legendOf(page)).toHaveLength(7);
    expect(await legendOf(page)).not.toContain("Delivered");
    await page.getByRole("button", { name: "All", exact: true }).click();
    expect(await legendOf(page)).toContain("Delivered");
    expect(await axisOf(page)).toContain("100%");
    await page.reload();
    await page.getByRole("button", { name: "All", exact: true, pressed: true }).waitFor();
    expect(await legendOf(page)).toContain("Delivered");
  });

  test("can show counts, and the URL contains this choice", async ({ open, byDay }) => {
    const page = await open();
    await page.getByRole("button", { name: "Messages", exact: true }).click();
    await page.reload();
    await page.getByRole("button", { name: "Messages", exact: true, pressed: true }).waitFor();
    expect(await readingAt(page)).not.toContain(" Delivered");
    const most = Math.max(
      ...[...byDay().values()].map((counts) => count(counts, "accepted") - count(counts, "delivered")),
    );
    const axis = (await axisOf(page)).map(Number);
    const [step = 0] = axis.slice(1);
    // A round number just above the maximum of undelivered messages per day.
    expect(Math.max(...axis)).toBeGreaterThanOrEqual(most);
    expect(Math.max(...axis)).toBeLessThan(most + step);
  });

  test("shows a single category after a click in the legend, and all categories after a second click", async ({
    open,
    byDay,
  }) => {
    const page = await open(WITH_DELIVERED);
    await cursorOf(page).focus();
    await cursorOf(page).press("Home");
    const all = await readingAt(page);
    const button = page
      .getByRole("region", { name: "Outcomes", exact: true })
      .getByRole("button", { name: "Show only Dropped: expired" });
    await button.press("Enter");
    expect(await urlParameters(page, "category")).toEqual(["droppedTtlExpired"]);
    const first = [...byDay().values()].at(-1) ?? {};
    const words = `Dropped: expired ${share(first, "droppedTtlExpired")} (${number(count(first, "droppedTtlExpired"))})`;
    await expect.poll(() => readingAt(page)).toMatch(new RegExp(`\\d{4}: ${words.replace(/[()]/g, "\\$&")}`));
    // The scale fits the category.
    expect(await axisOf(page)).not.toContain("100%");
    expect(await legendOf(page)).toHaveLength(8);
    await button.click();
    await expect.poll(() => readingAt(page)).toBe(all);
    expect(await urlParameters(page, "category")).toEqual([null]);
  });
});

describe("a chart of a long range", () => {
  const MONDAY = 4; // 1970-01-05

  test("is drawn by week from sums, with months on the axis and incomplete weeks underlined", async ({
    open,
    byDay,
  }) => {
    const last = TODAY - 1;
    const page = await open(`${WITH_DELIVERED}&from=${formatDay(last - 199)}&to=${formatDay(last)}`);
    const figure = page.getByRole("figure", { name: "Outcomes", exact: true });
    const names = await figure.locator("svg text").allTextContents();
    expect(names.filter((name) => /^[A-Z][a-z]{2} \d{4}$/.test(name)).length).toBeGreaterThan(2);

    const weeks = new Map<number, { days: number; counts: Counts }>();
    for (const [day, counts] of byDay()) {
      const monday = day - ((((day - MONDAY) % 7) + 7) % 7);
      const { days, counts: others } = weeks.get(monday) ?? { days: 0, counts: {} };
      weeks.set(monday, { days: days + 1, counts: sumOf([others, counts]) });
    }
    await chooseOfChart(page, "Outcomes", "Show as table");
    const table = page.getByRole("table", { name: "Outcomes, by week" });
    const cells = (counts: Counts): string[] => [
      number(count(counts, "accepted")),
      ...OUTCOMES.map((name) => `${share(counts, name)} (${number(count(counts, name))})`),
    ];
    expect((await rowsOf(table)).slice(1, -1)).toEqual(
      [...weeks.values()].map(({ counts }) => cells(counts)),
    );
    const marks = await table.locator("tbody th").allTextContents();
    expect(marks.map((text) => / ?(\d) of 7 days/.exec(text)?.[1])).toEqual(
      [...weeks.values()].map(({ days }) => (days < 7 ? String(days) : undefined)),
    );

    const cursor = page.getByRole("slider", { name: "Accepted by day, by day" });
    await cursor.focus();
    await cursor.press("ArrowLeft");
    const [, previous] = [...weeks.values()];
    expect(await cursor.getAttribute("aria-valuetext")).toMatch(
      new RegExp(`^Week .*: Accepted messages ${number(count(previous?.counts ?? {}, "accepted"))},`),
    );
  });
});

test("days with few messages are shown faded, with an explanation", async ({ open, entries }) => {
  const few = [...new Set(entries.map(({ analyticsLabel = "" }) => analyticsLabel))].find(
    (label) => label !== "" && label !== OUTAGE.label,
  );
  const page = await open(`&label=${few}`);
  const cursor = page.getByRole("slider", { name: "Delivery performance, by day" });
  expect(await cursor.getAttribute("aria-valuetext")).toContain(". Fewer than 100 messages");
  for (const chart of ["Outcomes", "Delivery performance"]) {
    const uncertain = page.getByRole("figure", { name: chart, exact: true }).locator("[data-uncertain]");
    expect(await uncertain.count(), chart).toBeGreaterThan(0);
  }
  await page.goto(page.url().replace(`label=${few}`, `label=${OUTAGE.label}`));
  await page.getByRole("slider", { name: "Outcomes, by day" }).waitFor();
  expect(await page.locator("[data-uncertain]").count()).toBe(0);
});

/** Counts by name. Omitted counts are 0. */
type Counts = Readonly<Record<string, number>>;

/** Computes counts from an entry's percentages. */
function countsOf({ data }: Entry): Counts {
  const accepted = Number(data.countMessagesAccepted ?? 0);
  const notifications = Number(data.countNotificationsAccepted ?? 0);
  const counts = (percents: unknown, denominator: number): Record<string, number> =>
    Object.fromEntries(
      Object.entries((percents ?? {}) as Record<string, number>).map(([name, value]) => [
        name,
        Math.round((value * denominator) / 100),
      ]),
    );
  return {
    accepted,
    notifications,
    ...counts(data.messageOutcomePercents, accepted),
    ...counts(data.deliveryPerformancePercents, accepted),
    ...counts(data.messageInsightPercents, accepted),
    ...counts(data.proxyNotificationInsightPercents, notifications),
  };
}

function sumOf(many: readonly Counts[]): Counts {
  const sum: Record<string, number> = {};
  for (const counts of many) {
    for (const [name, value] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + value;
  }
  return sum;
}

const epochDay = ({ date: { year, month, day } }: Entry): number => dayOfCivil(year, month, day);

function count(counts: Counts, name: string): number {
  const rest = (of: string, names: readonly string[]): number =>
    names.slice(0, -1).reduce((left, each) => left - (counts[each] ?? 0), counts[of] ?? 0);
  if (name === "unaccounted") return rest("accepted", OUTCOMES);
  if (name === "unaccountedNotifications") return rest("notifications", PROXY_RESULTS);
  return counts[name] ?? 0;
}

const percent = (counts: Counts, name: string, of = "accepted"): number =>
  (100 * count(counts, name)) / count(counts, of);

/** Formats a share like the page: never rounded to 0 or 100 %. */
function share(counts: Counts, name: string, of = "accepted"): string {
  const value = percent(counts, name, of);
  if (value > 0 && value < 0.05) return "<0.1%";
  if (value < 100 && value >= 99.95) return ">99.9%";
  return `${number(value, 1)}%`;
}

const number = (value: number, digits = 0): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Formats a percentage like the page. */
const tenths = (value: number): number => Math.round(10 * value) / 10;

const signed = (value: number): string =>
  value
    .toLocaleString("en-US", {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
      signDisplay: "exceptZero",
    })
    .replace("-", "−");

async function expectFigures(page: Page, counts: Counts): Promise<void> {
  for (const [title, text] of [
    ["Accepted messages", number(count(counts, "accepted"))],
    ["Notifications", number(count(counts, "notifications"))],
    ["Delivered", share(counts, "delivered")],
    ["Delivered without delay", share(counts, "deliveredNoDelay")],
    ["Unaccounted for", share(counts, "unaccounted")],
  ] as const) {
    expect(await keyFigure(page, title).textContent(), title).toBe(text);
  }
}

const changesOf = (page: Page): Promise<string[]> =>
  page.getByRole("region", { name: "Key figures" }).locator("[data-change]").allTextContents();

/** A table's cell texts by row, without headers, once all its rows are there. */
const rowsOf = (table: Locator): Promise<string[][]> =>
  table
    .and(table.page().locator(":not([aria-busy=true])"))
    .evaluate((element) =>
      [...element.querySelectorAll("tr")].map((row) =>
        [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? ""),
      ),
    );
