import { withResolver } from "@waybill/client/support";
import type { Page, Route } from "playwright-core";
import { describe, expect } from "vitest";
import { addMonths } from "../../console/src/model/days/month.js";
import type { AndroidIncidentJson } from "../../src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { groupBy } from "../../src/model/collections.js";
import { civilDate, dayOfJson, formatDay } from "../../src/model/day.js";
import {
  chooseDays,
  daysButton,
  keyFigure,
  openDays,
  readDays,
  test as serving,
  typeDays,
  urlParameters,
} from "../support/browser/console.js";
import { holdRequests } from "../support/browser/hold-requests.js";
import { columnOf, readTable } from "../support/browser/page-table.js";
import { signIn, signOut } from "../support/browser/sign-in.js";
import { untilSettled } from "../support/browser/watched-page.js";
import type { Entry } from "../support/data/delivery-data.js";
import { countsIn, countText, percentText } from "../support/data/delivery-truth.js";
import { poll } from "../support/poll.js";
import { ANDROID_APP, PROJECT } from "../support/servers/project.js";

const SECOND_APP = "1:123456789012:android:second";
/** An error response that the page does not retry. */
const FAILURE = { status: 500, json: { error: { code: 500, message: "No.", status: "INTERNAL" } } };
let page: Page;

serving.override("traffic", { apps: [ANDROID_APP, SECOND_APP], days: 10, messages: 3000 });
const test = serving
  .extend("open", ({ console, viewer }) => async (view = `?app=${ANDROID_APP}`): Promise<void> => {
    page = await console.signedIn(viewer, view);
    await accepted().waitFor();
  })
  /** Opens all apps of the project, with stubbed responses for their ongoing incidents. */
  .extend(
    "openApps",
    ({ console, viewer, newPage }) =>
      async (view: string, response?: (route: Route) => unknown): Promise<void> => {
        page = await newPage();
        if (response !== undefined) await page.route("**/androidApps/-/incidents*", response);
        await page.goto(console.url + view);
        await signIn(page, viewer);
        await page.getByRole("table", { name: "Apps" }).waitFor();
      },
  )
  /** Waits until the page shows the entries' sum. */
  .extend("showsSumOf", ({ truth }) => async (select: (entry: Entry) => boolean): Promise<void> => {
    const sum = truth
      .filter(select)
      .reduce((sum, { data }) => sum + Number(data?.countMessagesAccepted ?? 0), 0);
    const expected = sum.toLocaleString("en-US");
    expect(sum).toBeGreaterThan(0);
    await poll(async () => (await accepted().textContent()) ?? "", expected);
  });

/** The first key figure. */
const accepted = () => keyFigure(page, "Accepted messages");

const of =
  (app: string, labels?: readonly string[]) =>
  ({ appId, analyticsLabel = "" }: Entry): boolean =>
    appId === app && (labels?.includes(analyticsLabel) ?? true);

const parameters = (...names: readonly string[]) => urlParameters(page, ...names);

describe("the app table of a project", () => {
  const table = () => page.getByRole("table", { name: "Apps" });
  const appLink = (app: string) => table().getByRole("link", { name: app, exact: true });
  const incidents = "**/androidApps/-/incidents*";

  /** An app's sums over some days of traffic, counted back from the last day. */
  const sumsOf = (truth: readonly Entry[], app: string, from: number, to: number) => {
    const dates = [...new Set(truth.map(({ date }) => isoOf(date)))].sort().reverse().slice(from, to);
    return countsIn(truth.filter((entry) => entry.appId === app && dates.includes(isoOf(entry.date))));
  };

  test("shows messages, the delivered share and its change for each app", async ({ truth, openApps }) => {
    await openApps("?days=7");
    await expect.poll(() => parameters("project", "app")).toEqual([PROJECT.id, null]);
    // Changes and small charts load later.
    await table().getByRole("cell", { name: /pts$/ }).nth(1).waitFor();
    await table().locator("svg path[d^=M]").nth(1).waitFor({ state: "attached" });
    const read = await readTable(page, "Apps");
    const expected = [ANDROID_APP, SECOND_APP].map((app) => {
      const now = sumsOf(truth, app, 0, 7);
      const before = sumsOf(truth, app, 7, 10);
      const share = ({ delivered = 0, countMessagesAccepted = 0 }: typeof now): number =>
        Math.round((1_000 * delivered) / countMessagesAccepted) / 10;
      const points = share(now) - share(before);
      return {
        App: app,
        Messages: countText(now.countMessagesAccepted),
        Delivered: percentText(now.delivered, now.countMessagesAccepted),
        Change: `${Math.round(10 * points) > 0 ? "+" : ""}${points.toFixed(1).replace("-", "−")} pts`,
      };
    });
    const rows = read.rows.map((row) => Object.fromEntries(row.map((text, at) => [read.headings[at], text])));
    const apps = (all: readonly object[]): object[] =>
      [...all].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    expect(apps(rows)).toMatchObject(apps(expected));
  });

  test("opens an app by keyboard, and lists this app first afterwards", async ({ openApps, showsSumOf }) => {
    await openApps("");
    const [first = ""] = columnOf(await readTable(page, "Apps"), "App");
    const other = first === ANDROID_APP ? SECOND_APP : ANDROID_APP;
    await page.getByRole("searchbox", { name: "Search apps" }).focus();
    await page.keyboard.type(other.slice(-6).toUpperCase());
    await page.getByText("1 of 2 apps").waitFor();
    await appLink(other).focus();
    await page.keyboard.press("Enter");
    await showsSumOf(of(other));
    expect(await parameters("app", "tab")).toEqual([other, null]);

    await page.getByRole("link", { name: "All apps" }).click();
    await appLink(other).waitFor();
    expect(columnOf(await readTable(page, "Apps"), "App")).toEqual([other, first]);
    await page.getByRole("button", { name: /^Android app/ }).click();
    await page.getByRole("option", { name: first }).click();
    await showsSumOf(of(first));
    expect(await page.evaluate(() => localStorage.length)).toBe(2);
    await signOut(page);
    await page.getByLabel("Access token", { exact: true }).waitFor();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  test("shows names from the registry, with the id and a button that copies it", async ({
    console,
    viewer,
    newPage,
  }) => {
    page = await newPage();
    await page.route("**:searchApps*", (route) =>
      route.fulfill({
        headers: { "access-control-allow-origin": "*" },
        json: { apps: [{ appId: SECOND_APP, displayName: "Shop", platform: "ANDROID" }] },
      }),
    );
    await page.goto(console.url);
    await signIn(page, viewer);
    const row = table()
      .getByRole("row")
      .filter({ has: page.getByRole("link", { name: "Shop", exact: true }) });
    await row.getByText(SECOND_APP).waitFor();
    await row.getByRole("button", { name: "Copy ID of Shop" }).waitFor();
    await page.getByRole("button", { name: /^Android app/ }).click();
    await page.getByRole("option", { name: `Shop ${SECOND_APP}` }).waitFor();
  });

  test("sorts the worst apps first on request, and links each incident to the labels", async ({
    openApps,
  }) => {
    const startDate = { year: 2026, month: 1, day: 5 };
    const ongoing = (appId: string, excessMessageCount: string): AndroidIncidentJson => {
      return { appId, wholeApp: true, outcome: "DELIVERED", startDate, excessMessageCount };
    };
    const json = {
      incidents: [ongoing(SECOND_APP, "5"), ongoing(SECOND_APP, "7"), ongoing(ANDROID_APP, "3")],
    };
    await openApps("", (route) => route.fulfill({ json }));
    await table().getByRole("button", { name: "Delivered", exact: true }).click();
    expect(await parameters("sort")).toEqual(["deliveredShare"]);
    const shares = columnOf(await readTable(page, "Apps"), "Delivered").map(Number.parseFloat);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));

    await page.getByRole("button", { name: "Worst first" }).click();
    expect(await parameters("sort")).toEqual(["-incidents"]);
    const worst = table().getByRole("link", { name: `2 ongoing incidents of ${SECOND_APP}` });
    await worst.waitFor();
    expect(columnOf(await readTable(page, "Apps"), "App")).toEqual([SECOND_APP, ANDROID_APP]);
    await worst.click();
    await page.getByRole("table", { name: "Labels" }).waitFor();
    expect(await parameters("app", "tab")).toEqual([SECOND_APP, "labels"]);
  });

  const fall = {
    analyticsLabel: "promo",
    outcome: "DELIVERED",
    startDate: { year: 2026, month: 1, day: 5 },
    usualPercent: 90,
    observedPercent: 40,
    excessMessageCount: "20",
  } as const;
  /** Ongoing incidents of a label in two apps. */
  const falls = {
    incidents: [
      { ...fall, appId: ANDROID_APP },
      { ...fall, appId: SECOND_APP, excessMessageCount: "22" },
    ],
  };

  test("sums all apps, and shows a label that fell in several apps on one day in one line", async ({
    truth,
    openApps,
  }) => {
    await openApps("?days=7", (route) => route.fulfill({ json: falls }));
    const totals = page.getByRole("region", { name: "Totals of all apps" });
    const dates = [...new Set(truth.map(({ date }) => isoOf(date)))].sort().slice(-7);
    const sum = countsIn(truth.filter(({ date }) => dates.includes(isoOf(date))));
    await totals.getByText(countText(sum.countMessagesAccepted), { exact: true }).waitFor();
    await totals.getByText(percentText(sum.delivered, sum.countMessagesAccepted), { exact: true }).waitFor();
    const items = page.getByRole("region", { name: "Ongoing incidents" }).getByRole("listitem");
    await items.first().waitFor();
    expect(await items.allInnerTexts()).toEqual([
      "promo fell on Jan 5, 2026 and has not recovered, in 2 apps. About 42 more messages than usual were not delivered.",
    ]);
    await items.getByRole("link").click();
    await accepted().waitFor();
    expect(await parameters("app", "label")).toEqual([SECOND_APP, "promo"]);
  });

  test("has a row for each label with its messages in all apps, the ones that fell first", async ({
    truth,
    openApps,
  }) => {
    await openApps("?days=7", (route) => route.fulfill({ json: falls }));
    const labels = page.getByRole("table", { name: "Labels of the project" });
    await labels.getByText("2 apps", { exact: true }).waitFor();
    await labels.getByRole("link", { name: "promo", exact: true }).waitFor();
    const dates = [...new Set(truth.map(({ date }) => isoOf(date)))].sort().slice(-7);
    const byLabel = groupBy(
      truth.filter(({ date }) => dates.includes(isoOf(date))),
      ({ analyticsLabel = "" }) => analyticsLabel,
    );
    const expected = [...byLabel].map(([label, entries]) => {
      const { countMessagesAccepted, delivered } = countsIn(entries);
      return {
        label: label || "(no label)",
        messages: Number(countMessagesAccepted),
        cells: [
          label === "promo" ? "2 apps" : "0",
          String(new Set(entries.map(({ appId }) => appId)).size),
          countText(countMessagesAccepted),
          percentText(delivered, countMessagesAccepted),
        ],
      };
    });
    const rowsOf = async () => {
      const { headings, rows } = await readTable(page, "Labels of the project");
      const columns = ["Label", "Ongoing incidents", "Apps", "Messages", "Delivered"];
      return rows.map((row) => columns.map((column) => row[headings.indexOf(column)]));
    };
    const sorted = (isFirst: (label: string) => boolean) =>
      expected
        .toSorted((a, b) => Number(isFirst(b.label)) - Number(isFirst(a.label)) || b.messages - a.messages)
        .slice(0, 12)
        .map(({ label, cells }) => [label, ...cells]);
    // The numbers of apps arrive separately.
    await poll(
      rowsOf,
      sorted((label) => label === "promo"),
    );
    await labels.getByRole("button", { name: /^Messages/ }).click();
    const byMessages = sorted(() => false);
    await poll(rowsOf, byMessages);
    await page.getByRole("searchbox", { name: "Search labels" }).fill("promo");
    await page.getByText(`1 of ${expected.length} labels`).waitFor();
    await labels.getByRole("link", { name: "promo", exact: true }).click();
    await accepted().waitFor();
    expect(await parameters("app", "label")).toEqual([SECOND_APP, "promo"]);
  });

  test("shows a dash for each label's apps if they could not be loaded", async ({
    console,
    viewer,
    newPage,
    problems,
  }) => {
    page = await newPage();
    await page.route(/groupBy=APP&groupBy=ANALYTICS_LABEL/, (route) => route.fulfill(FAILURE));
    await page.goto(console.url);
    await signIn(page, viewer);
    const labels = page.getByRole("table", { name: "Labels of the project" });
    await labels.getByRole("row").nth(2).waitFor();
    const appsOf = async () => new Set(columnOf(await readTable(page, "Labels of the project"), "Apps"));
    await poll(appsOf, new Set(["–"]));
    problems.length = 0;
  });

  test("shows figures while incidents are loading or have failed, and can load them again", async ({
    openApps,
    problems,
  }) => {
    await openApps("", () => undefined);
    expect(columnOf(await readTable(page, "Apps"), "Delivered")[0]).toMatch(/%$/);
    await page.unrouteAll();
    await page.route(incidents, (route) => route.fulfill(FAILURE));
    await page.reload();
    await page.getByText("Could not load incidents.").waitFor();
    const read = await readTable(page, "Apps");
    expect(columnOf(read, "Delivered")[0]).toMatch(/%$/);
    expect(columnOf(read, "Ongoing incidents")).toEqual(["–", "–"]);
    await page.unrouteAll();
    problems.length = 0;
    await page.getByRole("main").getByRole("button", { name: "Try again" }).click();
    await page.getByText("Could not load incidents.").waitFor({ state: "detached" });
    await table().getByRole("cell", { name: "0", exact: true }).nth(1).waitFor();
    expect(columnOf(await readTable(page, "Apps"), "Ongoing incidents")).toEqual(["0", "0"]);
  });
});

test("a link's figures do not wait for the lists of projects and apps", async ({
  console,
  viewer,
  newPage,
}) => {
  page = await newPage();
  const release = await holdRequests(page, /\/v1beta1\/projects(\/[^/]+\/androidApps)?(\?|$)/);
  await page.goto(`${console.url}?project=${PROJECT.id}&app=${encodeURIComponent(ANDROID_APP)}`);
  await signIn(page, viewer);
  await accepted().getByText(/\d/).waitFor();
  release();
  await page.getByRole("button", { name: /^Android app/ }).click();
  await page.getByRole("option", { name: SECOND_APP }).waitFor();
});

test("figures of all apps are requested at the same time as the list of apps", async ({
  console,
  viewer,
  newPage,
}) => {
  page = await newPage();
  const release = await holdRequests(page, /\/v1beta1\/projects(\/[^/]+\/androidApps)?(\?|$)/);
  const grouped = (by: string): Promise<unknown> =>
    page.waitForRequest((request) => request.url().includes(`groupBy=${by}`));
  const figures = Promise.all([grouped("APP"), grouped("DATE")]);
  await page.goto(`${console.url}?project=${PROJECT.id}`);
  await signIn(page, viewer);
  await figures;
  release();
  await page.getByRole("rowheader", { name: SECOND_APP }).waitFor();
});

test("figures of the project that was visited last do not wait for the list of projects", async ({
  open,
  console,
}) => {
  await open();
  // The page stores the visit after it has shown the project.
  await poll(
    async () => JSON.stringify(await page.context().storageState()),
    (state) => state.includes("waybill.visitsProjects"),
  );
  const release = await holdRequests(page, /\/v1beta1\/projects(\?|$)/);
  await page.goto(console.url);
  await page.getByRole("rowheader", { name: SECOND_APP }).waitFor();
  expect(new URL(page.url()).search).toBe("");
  release();
  await page.waitForURL(/project=/);
});

test("the URL contains the names of relative ranges, and the earlier range", async ({
  truth,
  open,
  showsSumOf,
}) => {
  await open(`?app=${encodeURIComponent(ANDROID_APP)}&days=7`);
  const dates = [...new Set(truth.map(({ date }) => isoOf(date)))].sort();
  const last = dates.at(-1) ?? "";
  await chooseDays(page, "Yesterday");
  await showsSumOf((entry) => of(ANDROID_APP)(entry) && isoOf(entry.date) === last);
  expect(await parameters("range", "days", "from")).toEqual(["yesterday", null, null]);
  // Charts show four weeks, with the day highlighted among them, and figures compare it with the same weekday.
  const cursor = page.getByRole("slider", { name: "Delivered share, by day" });
  await cursor.and(page.locator("[aria-valuemax='28']")).waitFor();
  await page.locator("[data-highlight]").first().waitFor({ state: "attached" });
  const weekBefore = new Date(Date.parse(last) - 7 * 86_400_000).toLocaleDateString("en-US", {
    dateStyle: "medium",
    timeZone: "UTC",
  });
  await page.getByText(`Compared with ${weekBefore}. `).waitFor();
  await chooseDays(page, "This month");
  expect(await readDays(page)).toEqual([`${last.slice(0, 8)}01`, last]);
  await showsSumOf((entry) => of(ANDROID_APP)(entry) && isoOf(entry.date).slice(0, 7) === last.slice(0, 7));

  await chooseDays(page, "Last year");
  await page.keyboard.press("Escape");
  expect(await parameters("earlier")).toEqual(["year"]);
  await page
    .getByText(new RegExp(`, ${Number(last.slice(0, 4)) - 1} \\((0 of \\d+ days have|no) data\\)\\.`))
    .waitFor();
  await page.getByText("no earlier data").first().waitFor();
  await page.reload();
  await accepted().waitFor();
  expect(await daysButton(page).innerText()).toMatch(/This month\s.* vs last year$/);
});

test("an app can be found by a part of its id, by keyboard", async ({ open, showsSumOf }) => {
  await open(`?app=${encodeURIComponent(ANDROID_APP)}`);
  await page.getByRole("button", { name: /^Android app/ }).focus();
  await page.keyboard.press("Enter");
  const options = page.getByRole("listbox", { name: "Android app" }).getByRole("option");
  await options.first().waitFor();
  await page.keyboard.type("SECO");
  await expect.poll(() => options.count()).toBe(1);
  await page.keyboard.press("Enter");
  await showsSumOf(of(SECOND_APP));
  expect(await parameters("app")).toEqual([SECOND_APP]);
  // Focus returns to the picker.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(SECOND_APP);
});

test("a picker shows that a search has no results, and can be closed without a choice", async ({ open }) => {
  await open();
  await page.getByRole("button", { name: /^Android app/ }).click();
  await page.keyboard.type("nothing like it");
  await page.getByText("No matches.").waitFor();
  const before = page.url();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  expect(page.url()).toBe(before);

  await page.keyboard.press("Enter");
  await page.getByRole("listbox").waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("listbox").waitFor({ state: "detached" });
});

test("a picker shows that its options are loading, or could not be loaded", async ({
  console,
  viewer,
  newPage,
  problems,
}) => {
  page = await newPage();
  const { promise: asked, resolve: fail } = withResolver();
  await page.route(/groupBy=ANALYTICS_LABEL/, async (route) => {
    await asked;
    await route.fulfill(FAILURE);
  });
  await page.goto(`${console.url}?app=${encodeURIComponent(ANDROID_APP)}`);
  await signIn(page, viewer);
  await accepted().getByText(/\d/).waitFor();
  await page.getByRole("button", { name: /^Labels/ }).click();
  const note = page.getByRole("status").and(page.locator("[role=listbox] ~ *"));
  await note.getByText("Loading …").waitFor();
  fail();
  await note.getByText("Could not load the list.").waitFor();
  problems.length = 0;
});

test("several labels can be chosen, including messages without a label", async ({
  truth,
  open,
  showsSumOf,
}) => {
  await open(`?app=${encodeURIComponent(ANDROID_APP)}`);
  const counts = new Map<string, number>();
  for (const { appId, analyticsLabel = "", data } of truth) {
    if (appId !== ANDROID_APP) continue;
    counts.set(analyticsLabel, (counts.get(analyticsLabel) ?? 0) + Number(data?.countMessagesAccepted ?? 0));
  }
  const label = [...counts.keys()].find((name) => name !== "") ?? "";
  await page.getByRole("button", { name: /^Labels/ }).click();
  const options = page.getByRole("listbox", { name: "Labels" }).getByRole("option");
  // Labels with counts, largest first.
  const listed = (): Promise<(string | null | undefined)[]> =>
    options.evaluateAll((all) => all.map((one) => one.children[1]?.textContent));
  await poll(
    listed,
    [...counts.values()].sort((a, b) => b - a).map((count) => count.toLocaleString("en-US")),
  );

  await page.getByRole("option", { name: label }).click();
  await showsSumOf(of(ANDROID_APP, [label]));
  await page.getByRole("option", { name: "(no label)" }).click();
  await showsSumOf(of(ANDROID_APP, [label, ""]));
  expect(new URL(page.url()).searchParams.getAll("label")).toEqual([label, ""]);
  await page.getByRole("option", { name: label }).click();
  await showsSumOf(of(ANDROID_APP, [""]));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show all labels" }).click();
  await showsSumOf(of(ANDROID_APP));
});

test("labels do not move the filters, and the panel stays on the screen", async ({ open }) => {
  await open(`?app=${encodeURIComponent(ANDROID_APP)}`);
  await page.setViewportSize({ width: 1440, height: 900 });
  const bar = page.getByRole("region", { name: "Days and labels" });
  const placesOf = async () => [
    await bar.boundingBox(),
    await daysButton(page).boundingBox(),
    await page.getByRole("button", { name: /^Labels/ }).boundingBox(),
  ];
  const before = await placesOf();
  await page.getByRole("button", { name: /^Labels/ }).click();
  const panel = await page.getByRole("listbox", { name: "Labels" }).locator("xpath=..").boundingBox();
  expect((panel?.x ?? 0) + (panel?.width ?? 0)).toBeLessThanOrEqual(1440);
  expect(await page.evaluate(() => [scrollX, document.documentElement.scrollWidth - innerWidth])).toEqual([
    0,
    expect.toSatisfy((beyond: number) => beyond <= 0),
  ]);
  await page.getByRole("listbox", { name: "Labels" }).getByRole("option").first().click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show all labels" }).waitFor();
  expect(await placesOf()).toEqual(before);
  for (const part of ["Labels", "Entries"]) {
    await page.getByRole("link", { name: part, exact: true }).click();
    await page.getByRole("rowheader").first().waitFor();
    expect(await placesOf(), part).toEqual(before);
  }
});

test("another app keeps the chosen label if it has messages with that label", async ({
  truth,
  open,
  showsSumOf,
}) => {
  const labelsOf = (app: string) =>
    new Set(truth.filter(of(app)).map(({ analyticsLabel = "" }) => analyticsLabel));
  const [shared = ""] = [...labelsOf(ANDROID_APP)].filter(
    (label) => /^\w+$/.test(label) && labelsOf(SECOND_APP).has(label),
  );
  await open(`?app=${encodeURIComponent(ANDROID_APP)}&label=${shared}`);
  for (const [label, kept] of [
    [shared, [shared]],
    ["nobody-uses-it", undefined],
  ] as const) {
    await page.goto(`${page.url().split("?")[0]}?project=${PROJECT.id}&tab=project&label=${label}`);
    const link = page
      .getByRole("table", { name: "Apps" })
      .getByRole("link", { name: SECOND_APP, exact: true });
    await page
      .locator(`a[href*="${kept === undefined ? "app=" : `label=${shared}`}"]`, { hasText: SECOND_APP })
      .waitFor();
    await link.click();
    await showsSumOf(of(SECOND_APP, kept));
  }
});

test("days can be chosen by name or by date, and the browser history returns to earlier choices", async ({
  truth,
  open,
  showsSumOf,
}) => {
  await open(`?app=${encodeURIComponent(ANDROID_APP)}`);
  const dates = [...new Set(truth.map(({ date }) => isoOf(date)))].sort();
  const [first = "", second = ""] = dates;
  await showsSumOf(of(ANDROID_APP));
  await chooseDays(page, "7 days");
  const inLastDays = (entry: Entry): boolean =>
    of(ANDROID_APP)(entry) && dates.indexOf(isoOf(entry.date)) >= dates.length - 7;
  await showsSumOf(inLastDays);
  await typeDays(page, first, second);
  const inFirstDays = (entry: Entry): boolean =>
    of(ANDROID_APP)(entry) && [first, second].includes(isoOf(entry.date));
  await showsSumOf(inFirstDays);
  expect(await parameters("from", "to")).toEqual([first, second]);

  const dialog = await openDays(page);
  const problem = dialog.getByRole("alert");
  await dialog.getByLabel("From", { exact: true }).fill(dates[5] ?? "");
  await problem.getByText("The start date is after the end date.").waitFor();
  await dialog.getByLabel("To", { exact: true }).fill("2099-12-31");
  await problem.getByText(/^The last listed day is /).waitFor();
  await dialog.getByLabel("To", { exact: true }).fill("2026-02-30");
  await problem.getByText("2026-02-30 is not a date.").waitFor();
  await page.keyboard.press("Escape");
  await showsSumOf(inFirstDays);

  await page.goBack();
  await page.goBack();
  await showsSumOf(inLastDays);
  await page.goBack();
  await showsSumOf(of(ANDROID_APP));
  await page.goForward();
  await showsSumOf(inLastDays);
});

test("typing a date adds one history entry, and Enter closes the dialog", async ({
  truth,
  open,
  showsSumOf,
}) => {
  await open(`?app=${encodeURIComponent(ANDROID_APP)}`);
  // The page adds the project to the URL after it has shown the project.
  await page.waitForURL(/project=/);
  const before = page.url();
  const [first = ""] = [...new Set(truth.map(({ date }) => isoOf(date)))].sort();
  const dialog = await openDays(page);
  await dialog.getByLabel("From", { exact: true }).press("ControlOrMeta+A");
  await page.keyboard.type(first);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await showsSumOf(of(ANDROID_APP));
  expect(await parameters("from")).toEqual([first]);
  await page.goBack();
  expect(page.url()).toBe(before);
});

describe("the calendar", () => {
  const dayButton = (day: number) => page.getByRole("grid").locator(`[data-day="${day}"]`);
  const focusedDay = (): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.getAttribute("data-day") ?? null);

  test("chooses the days between two clicks, in any order", async ({ truth, open, showsSumOf }) => {
    await open(`?app=${encodeURIComponent(ANDROID_APP)}&days=7`);
    const [last, earlier] = [lastDay(truth), lastDay(truth) - 2];
    const dialog = await openDays(page);
    await dayButton(last).click();
    expect(await parameters("from")).toEqual([null]);
    if (civilDate(last).month !== civilDate(earlier).month)
      await dialog.getByRole("button", { name: "Previous month" }).click();
    await dayButton(earlier).click();
    await dialog.waitFor({ state: "detached" });
    await showsSumOf((entry) => of(ANDROID_APP)(entry) && isoOf(entry.date) >= formatDay(earlier));
    expect(await parameters("from", "to")).toEqual([earlier, last].map(formatDay));
  });

  test("can be used with the keyboard, up to the last listed day", async ({ truth, open }) => {
    await open(`?app=${encodeURIComponent(ANDROID_APP)}`);
    const last = lastDay(truth);
    await daysButton(page).press("Enter");
    // The chosen range has the focus. The calendar is one tab stop behind its buttons.
    await page.getByRole("button", { name: "28 days", exact: true, pressed: true }).waitFor();
    await dayButton(last).focus();
    for (const [key, day] of [
      ["ArrowRight", last],
      ["ArrowLeft", last - 1],
      ["ArrowUp", last - 8],
      ["ArrowDown", last - 1],
      ["Shift+PageUp", addMonths(last - 1, -12)],
      ["Shift+PageDown", addMonths(addMonths(last - 1, -12), 12)],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focusedDay(), key).toBe(String(day));
    }
    const from = Number(await focusedDay());
    await page.keyboard.press("Home");
    expect(civilWeekday(Number(await focusedDay()))).toBe("Mon");
    await page.keyboard.press("Enter");
    await page.keyboard.press("PageUp");
    await page.keyboard.press("Escape");
    expect(await parameters("from")).toEqual([null]);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-haspopup"))).toBe("dialog");
    expect(from).toBeLessThanOrEqual(last);
  });
});

test("the same URL shows the same view to another viewer", async ({
  truth,
  viewer,
  open,
  showsSumOf,
  newPage,
}) => {
  const label = truth.find(of(ANDROID_APP))?.analyticsLabel ?? "";
  await open(`?project=${PROJECT.number}&app=${encodeURIComponent(ANDROID_APP)}&days=90&label=${label}`);
  await showsSumOf(of(ANDROID_APP, [label]));
  const shared = page.url();
  const read = async (): Promise<string> => {
    await untilSettled(page);
    return page.getByRole("main").innerText();
  };
  const text = await read();
  page = await newPage({ timezoneId: "Asia/Tokyo" });
  await page.goto(shared);
  await signIn(page, viewer);
  await showsSumOf(of(ANDROID_APP, [label]));
  expect(await read()).toBe(text);
});

const isoOf = (date: Entry["date"]): string => formatDay(dayOfJson(date));

const lastDay = (truth: readonly Entry[]): number => Math.max(...truth.map(({ date }) => dayOfJson(date)));

const civilWeekday = (day: number): string =>
  new Date(day * 86_400_000).toLocaleDateString("en-US", { weekday: "short", timeZone: "UTC" });
