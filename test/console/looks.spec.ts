import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { violationsOf } from "../support/browser/axe.js";
import {
  daysButton,
  keyFigure,
  openDays,
  type PageOptions,
  test as serving,
  urlParameters,
} from "../support/browser/console.js";
import { layoutShiftsOf, noteLayoutShifts } from "../support/browser/layout-shifts.js";
import { untilSettled } from "../support/browser/watched-page.js";
import { ANDROID_APP, PROJECT } from "../support/servers/project.js";

const NARROW = { width: 360, height: 740 };
const WIDE = { width: 2200, height: 1200 };

/** All parts of the console, with an element to wait for. */
const PARTS: [tab: string, shown: (page: Page) => Promise<unknown>][] = [
  ["overview", (page) => page.getByRole("heading", { name: "Proxied notifications" }).waitFor()],
  ["labels", (page) => page.getByRole("rowheader").first().waitFor()],
  ["entries", (page) => page.getByRole("row").nth(20).waitFor()],
  ["compare&compare=ranges", (page) => page.getByRole("rowheader").first().waitFor()],
  ["integrity", (page) => page.getByRole("rowheader").first().waitFor()],
  ["project", (page) => page.getByRole("cell", { name: /pts$/ }).first().waitFor()],
];

serving.override("traffic", { days: 60, messages: 6000 });
const test = serving
  .extend(
    "open",
    ({ console, viewer }) =>
      async (tab: string, shown: (page: Page) => Promise<unknown>, options: PageOptions): Promise<Page> => {
        const view = `?project=${PROJECT.id}&app=${encodeURIComponent(ANDROID_APP)}&tab=${tab}`;
        const page = await console.signedIn(viewer, view, options);
        await shown(page);
        await untilSettled(page);
        return page;
      },
  )
  /** Signs in on documents that the page loads later. */
  .extend(
    "keepToken",
    ({ viewer }) =>
      (page: Page): Promise<unknown> =>
        page.addInitScript((token) => sessionStorage.setItem("waybill.accessToken", token), viewer),
  );

describe.each(["light", "dark"] as const)("in %s colors", (colorScheme) => {
  test.for(PARTS)(
    "axe finds no violations in %s at any width, and nothing overflows the screen",
    async ([tab, shown], { open }) => {
      const page = await open(tab, shown, { colorScheme });
      for (const viewport of [undefined, NARROW, WIDE]) {
        if (viewport !== undefined) await page.setViewportSize(viewport);
        expect(await violationsOf(page)).toEqual([]);
      }
    },
  );

  test("axe finds no violations in the sign-in form and the pickers", async ({ console, open, newPage }) => {
    const page = await newPage({ colorScheme });
    await page.goto(console.url);
    await page.getByLabel("Access token", { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const chosen = await open("integrity", PARTS[4]?.[1] ?? (() => Promise.resolve()), { colorScheme });
    await chosen.getByRole("button", { name: /^Android app/ }).click();
    await chosen.getByRole("option").first().waitFor();
    expect(await violationsOf(chosen)).toEqual([]);
    await chosen.getByRole("link", { name: "Overview" }).click();
    await openDays(chosen);
    expect(await violationsOf(chosen)).toEqual([]);
  });
});

test("every option of a picker can be clicked in every part of the page", async ({ open }) => {
  const page = await open(...(PARTS[0] as (typeof PARTS)[number]), {});
  const openers = page.locator("button[aria-haspopup=listbox]").filter({ visible: true });
  for (const [viewport, part] of [WIDE, NARROW].flatMap((size) =>
    ["Overview", "Labels", "Entries", "Compare"].map((part) => [size, part] as const),
  )) {
    await page.setViewportSize(viewport);
    await page.getByRole("link", { name: part, exact: true }).click();
    await page
      .getByRole(part === "Overview" ? "slider" : "rowheader")
      .first()
      .waitFor();
    expect(await openers.count()).toBeGreaterThan(0);
    for (let index = 0; index < (await openers.count()); index += 1) {
      const opener = openers.nth(index);
      await opener.click();
      await page.getByRole("listbox").getByRole("option").first().waitFor();
      expect(await page.getByRole("listbox").evaluate(coveredOptions), part).toEqual([]);
      await page.keyboard.press("Escape");
    }
  }
});

test.for([
  ["a wide", { width: 1440, height: 900 }],
  ["a narrow", { width: 390, height: 844 }],
] as const)(
  "on %s screen, the filters stay visible and never cover the focused element",
  async ([_, viewport], { open }) => {
    const page = await open(...(PARTS[0] as (typeof PARTS)[number]), { viewport });
    const bar = page.getByRole("region", { name: "Days and labels" });
    await page.getByRole("button", { name: "Menu: Proxied notifications" }).focus();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1_000);
    expect((await bar.boundingBox())?.y).toBe(0);
    const seen: (string | null)[] = [];
    for (;;) {
      await page.keyboard.press("Shift+Tab");
      const focused = await bar.evaluate((bar) => {
        const { activeElement } = document;
        if (activeElement === null || bar.contains(activeElement)) return undefined;
        const { top } = activeElement.getBoundingClientRect();
        const name = activeElement.getAttribute("aria-label") ?? activeElement.textContent;
        return { name, isCovered: top < bar.getBoundingClientRect().bottom };
      });
      if (focused === undefined) break;
      expect(focused).toEqual({ ...focused, isCovered: false });
      seen.push(focused.name);
    }
    expect(seen).toContain("Delivered share, by day");
    expect(seen).toContain("How is this decided?");

    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole("link", { name: "Skip to the figures" }).press("Enter");
    const heading = page.getByRole("heading", { level: 2 }).first();
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    expect((await heading.boundingBox())?.y).toBeGreaterThanOrEqual(y + height);
  },
);

test("on a narrow screen, the filters are one line, and the days open as a sheet", async ({ open }) => {
  const page = await open(...(PARTS[0] as (typeof PARTS)[number]), { viewport: NARROW });
  const bar = page.getByRole("region", { name: "Days and labels" });
  expect(await bar.innerText()).toMatch(/2\d{3}\s+All labels$/);
  expect((await bar.boundingBox())?.height).toBeLessThan(60);
  for (const close of [() => page.keyboard.press("Escape"), () => page.mouse.click(10, 10)]) {
    const sheet = await openDays(page);
    const { x, y = 0, width, height = 0 } = (await sheet.boundingBox()) ?? {};
    expect([x, width, y + height]).toEqual([0, NARROW.width, NARROW.height]);
    await close();
    await sheet.waitFor({ state: "detached" });
    expect(await daysButton(page).getAttribute("aria-expanded")).toBe("false");
  }
  const sheet = await openDays(page);
  expect(await violationsOf(page)).toEqual([]);
  await sheet.getByRole("button", { name: "7 days", exact: true }).click();
  await page.waitForURL(/days=7/);
});

test("on a phone, a tap beside the days only closes them", async ({ open }) => {
  const page = await open(...(PARTS[0] as (typeof PARTS)[number]), { viewport: NARROW, hasTouch: true });
  const account = page.getByRole("button", { name: /^Account/ });
  const { x, y, width, height } = (await account.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const sheet = await openDays(page);
  await page.evaluate(() =>
    addEventListener("click", ({ target }) => {
      document.documentElement.dataset.clicked = (target as Element).ariaLabel ?? "";
    }),
  );
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  await sheet.waitFor({ state: "detached" });
  await page.locator("html[data-clicked]").waitFor();
  expect(await page.locator("html").getAttribute("data-clicked")).toBe("Close: Los Angeles days");
  expect(await account.getAttribute("aria-expanded")).toBe("false");
  expect(await daysButton(page).evaluate((button) => button === document.activeElement)).toBe(true);
});

/** Runs in the page. Returns list options that a click would miss. */
function coveredOptions(list: Element): (string | null)[] {
  const isHit = (option: Element): boolean => {
    option.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom } = option.getBoundingClientRect();
    return [left + 4, right - 4].every((x) =>
      [top + 2, (top + bottom) / 2, bottom - 2].every((y) =>
        option.contains(document.elementFromPoint(x, y)),
      ),
    );
  };
  return [...list.children].filter((option) => !isHit(option)).map(({ textContent }) => textContent);
}

test.for(["de-DE", "ar-EG", "ja-JP"])(
  "sentences and figures are English in the locale %s, in one text direction",
  async (locale, { open }) => {
    const page = await open(...(PARTS[0] as (typeof PARTS)[number]), { locale });
    const text = await page.locator("body").innerText();
    expect(text).toMatch(/Los Angeles/);
    // Latin letters, digits, punctuation and symbols.
    expect(text.match(/[^\p{Script=Latin}\p{Script=Common}]/gu)).toBeNull();
    expect(text).not.toMatch(/[\u200e\u200f\u061c]/);
    expect(await keyFigure(page, "Delivered").innerText()).toMatch(/^[\d.,]+\s?%$/);
  },
);

test("every part of the page can be reached by keyboard, and a link skips the header", async ({ open }) => {
  const page = await open("overview", (page) => keyFigure(page, "Accepted messages").waitFor(), {});
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the figures");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
  await page.getByRole("link", { name: "Labels" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("rowheader").first().waitFor();
  expect(await urlParameters(page, "tab")).toEqual(["labels"]);
});

test("the first visit transfers less than 200 KB of page files, of all parts", async ({
  console,
  keepToken,
  newPage,
}) => {
  const page = await newPage({ hasOwnContext: true });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const files = new Set<string>();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (request.url.startsWith(console.url)) files.add(requestId);
  });
  let bytes = 0;
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (files.has(requestId)) bytes += encodedDataLength;
  });
  await keepToken(page);
  await page.goto(`${console.url}?project=${PROJECT.id}`);
  await keyFigure(page, "Accepted messages").waitFor();
  await untilSettled(page);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(200_000);
});

test.for(PARTS)("no element moves while %s loads", async ([tab, shown], { console, keepToken, newPage }) => {
  const page = await newPage();
  await keepToken(page);
  await noteLayoutShifts(page);
  await page.goto(`${console.url}?project=${PROJECT.id}&app=${ANDROID_APP}&tab=${tab}`);
  await shown(page);
  await untilSettled(page);
  const shifts = await layoutShiftsOf(page);
  expect(shifts.filter(({ value, isExpected }) => value > 0.005 && !isExpected)).toEqual([]);
});

test("each part of the page starts with a heading that names the part", async ({ open }) => {
  const page = await open(...(PARTS[1] as (typeof PARTS)[number]), {});
  const headings = page.getByRole("heading");
  expect(await headings.first().innerText()).toBe(`Labels of ${ANDROID_APP}`);
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
});

test("with forced colors, chosen controls look different from others", async ({ open }) => {
  const page = await open("overview", (page) => keyFigure(page, "Delivered").waitFor(), {
    forcedColors: "active",
  });
  const lineBelow = (part: string): Promise<string> =>
    page
      .getByRole("link", { name: part, exact: true })
      .evaluate((link) => link.ownerDocument.defaultView?.getComputedStyle(link).borderBottomColor ?? "");
  expect(await lineBelow("Overview")).not.toBe(await lineBelow("Labels"));
  const outlineOf = (name: string): Promise<string> =>
    page
      .getByRole("button", { name, exact: true })
      .evaluate((button) => button.ownerDocument.defaultView?.getComputedStyle(button).outlineStyle ?? "");
  await openDays(page);
  expect([await outlineOf("28 days"), await outlineOf("7 days")]).toEqual(["solid", "none"]);
});

test("dates are not cut off on the narrowest screen", async ({ open }) => {
  const page = await open("overview", (page) => keyFigure(page, "Delivered").waitFor(), {
    viewport: { width: 320, height: 640 },
  });
  const isCut = (locator: Locator): Promise<boolean> =>
    locator.evaluate((element) => element.scrollWidth > element.clientWidth);
  expect(await isCut(daysButton(page).locator("span").first())).toBe(false);
  const sheet = await openDays(page);
  for (const name of ["From", "To"]) {
    expect(await isCut(sheet.getByLabel(name, { exact: true }))).toBe(false);
  }
});

test.for([320, 360, 1280])(
  "figures of trillions do not overlap at a width of %d px",
  async (width, { console, keepToken, newPage }) => {
    const page = await newPage({ viewport: { width, height: 800 } });
    await keepToken(page);
    await page.route("**/deliveryData:aggregate?*", async (route) => {
      const response = await route.fetch();
      // Multiplies each count by one billion.
      const text = (await response.text()).replace(
        /("(?:count\w+|delivered\w*)":")(\d+)"/g,
        '$1$2000000000"',
      );
      await route.fulfill({ response, body: text });
    });
    const address = `${console.url}?project=${PROJECT.id}&app=${encodeURIComponent(ANDROID_APP)}`;
    await page.goto(address);
    const tiles = page.getByRole("term").locator("xpath=..");
    await tiles
      .getByText(/\d,000,000,000$/)
      .first()
      .waitFor();
    const widths = await tiles.evaluateAll((all) => all.map((one) => [one.scrollWidth, one.clientWidth]));
    for (const [needed = 0, given = 0] of widths) expect(needed).toBeLessThanOrEqual(given);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.goto(`${address}&tab=compare`);
    await page
      .getByRole("cell", { name: /\d,000,000,000$/ })
      .first()
      .waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  },
);

test("on a phone, all tabs are in sight, and apps are cards with their delivered share", async ({ open }) => {
  const page = await open("project", (page) => page.getByRole("table", { name: "Apps" }).waitFor(), {
    viewport: { width: 390, height: 844 },
  });
  const tabs = page.getByRole("navigation", { name: "Views" }).getByRole("link");
  expect(await tabs.count()).toBeGreaterThan(3);
  for (const tab of await tabs.all()) {
    const { x = -1, width = 0 } = (await tab.boundingBox()) ?? {};
    expect([x >= 0, x + width <= 390]).toEqual([true, true]);
  }
  const share = page.getByRole("table", { name: "Apps" }).locator("[data-title=Delivered]").first();
  const { x = -1, width = 0 } = (await share.boundingBox()) ?? {};
  expect([x >= 0, x + width <= 390]).toEqual([true, true]);
  await page.getByRole("combobox", { name: "Order: Apps" }).press("ArrowDown");
  await page.getByRole("listbox", { name: "Order: Apps" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // A letter chooses the option with a text that starts with it.
  await page.keyboard.type("d");
  await page.keyboard.press("Enter");
  await page.waitForURL(/sort=deliveredShare/);
});

test("the current tab is visible, even on a phone", async ({ open }) => {
  const shown = PARTS[4]?.[1] ?? (() => Promise.resolve());
  const page = await open("integrity", shown, { viewport: NARROW });
  const { x = 0, width = 0 } = (await page.getByRole("link", { name: "Settings" }).boundingBox()) ?? {};
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(NARROW.width);
});
