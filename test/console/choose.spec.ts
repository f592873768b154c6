import type { Page } from "playwright-core";
import { afterEach, expect } from "vitest";
import { keyFigure, test as serving, signIn } from "../support/browser/console.js";
import type { WatchedPage } from "../support/browser/watched-page.js";
import type { Entry } from "../support/delivery-data.js";
import { poll } from "../support/poll.js";
import { ANDROID_APP, PROJECT } from "../support/project.js";

const SECOND_APP = "1:123456789012:android:second";
let watched: WatchedPage;
let page: Page;

serving.override("traffic", { apps: [ANDROID_APP, SECOND_APP], days: 10, messages: 3000 });
const test = serving
  .extend("open", ({ console, viewer }) => async (view = ""): Promise<void> => {
    watched = await console.signedIn(viewer, view);
    page = watched.page;
    await accepted().waitFor();
  })
  /** Waits until the page shows the sum of the selected entries. */
  .extend("showsSumOf", ({ truth }) => async (select: (entry: Entry) => boolean): Promise<void> => {
    const sum = truth
      .filter(select)
      .reduce((sum, { data }) => sum + Number(data?.countMessagesAccepted ?? 0), 0);
    const expected = sum.toLocaleString("en-US");
    expect(sum).toBeGreaterThan(0);
    expect(
      await poll(
        async () => (await accepted().textContent()) ?? "",
        (text) => text === expected,
      ),
    ).toBe(expected);
  });

afterEach(async () => {
  expect(watched.problems()).toEqual([]);
  await watched.close();
});

/** The first key figure of the overview. */
const accepted = () => keyFigure(page, "Accepted messages");

const of =
  (app: string, labels?: readonly string[]) =>
  ({ appId, analyticsLabel = "" }: Entry): boolean =>
    appId === app && (labels?.includes(analyticsLabel) ?? true);

const query = (): URLSearchParams => new URL(page.url()).searchParams;

test("the first project and app are chosen by default and added to the address", async ({ open }) => {
  await open();
  expect(query().get("project")).toBe(PROJECT.id);
  expect([ANDROID_APP, SECOND_APP]).toContain(query().get("app"));
});

test("an app can be found by a part of its id with the keyboard alone", async ({ open, showsSumOf }) => {
  await open(`?app=${encodeURIComponent(ANDROID_APP)}`);
  await page.getByRole("button", { name: /^Android app/ }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("SECO");
  const options = page.getByRole("listbox", { name: "Android app" }).getByRole("option");
  expect(await options.count()).toBe(1);
  await page.keyboard.press("Enter");
  await showsSumOf(of(SECOND_APP));
  expect(query().get("app")).toBe(SECOND_APP);
  // The focus returns to the picker.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(SECOND_APP);
});

test("a picker reports an unsuccessful search, and closes without a choice", async ({ open }) => {
  await open();
  await page.getByRole("button", { name: /^Android app/ }).click();
  await page.keyboard.type("nothing like it");
  await page.getByText("No match.").waitFor();
  const before = page.url();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  expect(page.url()).toBe(before);

  await page.keyboard.press("Enter");
  await page.getByRole("listbox").waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("listbox").waitFor({ state: "detached" });
});

test("several labels can be chosen, including messages without one", async ({ truth, open, showsSumOf }) => {
  await open(`?app=${encodeURIComponent(ANDROID_APP)}`);
  const counts = new Map<string, number>();
  for (const { appId, analyticsLabel = "", data } of truth) {
    if (appId !== ANDROID_APP) continue;
    counts.set(analyticsLabel, (counts.get(analyticsLabel) ?? 0) + Number(data?.countMessagesAccepted ?? 0));
  }
  const label = [...counts.keys()].find((name) => name !== "") ?? "";
  await page.getByRole("button", { name: /^Labels/ }).click();
  const options = page.getByRole("listbox", { name: "Labels" }).getByRole("option");
  // Each label with its count, the largest first.
  const listed = await options.evaluateAll((all) =>
    all.map((one) => [...one.children].map((part) => part.textContent ?? "")),
  );
  expect(listed.map(([, count]) => count)).toEqual(
    [...counts.values()].sort((a, b) => b - a).map((count) => count.toLocaleString("en-US")),
  );

  await page.getByRole("option", { name: label }).click();
  await showsSumOf(of(ANDROID_APP, [label]));
  await page.getByRole("option", { name: "(unlabelled)" }).click();
  await showsSumOf(of(ANDROID_APP, [label, ""]));
  expect(query().getAll("label")).toEqual([label, ""]);
  await page.getByRole("option", { name: label }).click();
  await showsSumOf(of(ANDROID_APP, [""]));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show all" }).click();
  await showsSumOf(of(ANDROID_APP));
});

test("days can be chosen by name or by dates; the history goes back and forward", async ({
  truth,
  open,
  showsSumOf,
}) => {
  await open(`?app=${encodeURIComponent(ANDROID_APP)}`);
  const dates = [...new Set(truth.map(({ date }) => isoOf(date)))].sort();
  const [first = "", second = ""] = dates;
  await showsSumOf(of(ANDROID_APP));
  await page.getByRole("button", { name: "7 days" }).click();
  const inLastDays = (entry: Entry): boolean =>
    of(ANDROID_APP)(entry) && dates.indexOf(isoOf(entry.date)) >= dates.length - 7;
  await showsSumOf(inLastDays);
  await page.getByLabel("From", { exact: true }).fill(first);
  await page.getByLabel("To", { exact: true }).fill(second);
  const inFirstDays = (entry: Entry): boolean =>
    of(ANDROID_APP)(entry) && [first, second].includes(isoOf(entry.date));
  await showsSumOf(inFirstDays);
  expect([query().get("from"), query().get("to")]).toEqual([first, second]);

  await page.getByLabel("From", { exact: true }).fill(dates[5] ?? "");
  await page.getByText("The first day is after the last.").waitFor();
  await showsSumOf(inFirstDays);

  await page.getByLabel("To", { exact: true }).fill("2099-12-31");
  await page.getByText(/^The last listed day is /).waitFor();
  await showsSumOf(inFirstDays);

  await page.goBack();
  await page.goBack();
  await showsSumOf(inLastDays);
  await page.goBack();
  await showsSumOf(of(ANDROID_APP));
  await page.goForward();
  await showsSumOf(inLastDays);
});

test("typing a date is one choice, and an incomplete year is none", async ({ truth, open, showsSumOf }) => {
  await open(`?app=${encodeURIComponent(ANDROID_APP)}`);
  const before = page.url();
  const [first = ""] = [...new Set(truth.map(({ date }) => isoOf(date)))].sort();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).searchParams.get("filter") ?? ""));
  await page.getByLabel("From", { exact: true }).focus();
  const [year = "", month = "", day = ""] = first.split("-");
  await page.keyboard.type(`${month}${day}${year}`);
  await showsSumOf(of(ANDROID_APP));
  expect(query().get("from")).toBe(first);
  expect(asked.filter((filter) => filter.includes('>= "0'))).toEqual([]);
  await page.goBack();
  expect(page.url()).toBe(before);
});

test("the address of a view shows the same to another viewer", async ({
  console,
  truth,
  viewer,
  open,
  showsSumOf,
}) => {
  const label = truth.find(of(ANDROID_APP))?.analyticsLabel ?? "";
  await open(`?project=${PROJECT.number}&app=${encodeURIComponent(ANDROID_APP)}&days=90&label=${label}`);
  await showsSumOf(of(ANDROID_APP, [label]));
  const shared = page.url();
  const text = await page.getByRole("main").innerText();
  await watched.close();

  watched = await console.newPage({ timezoneId: "Asia/Tokyo" });
  page = watched.page;
  await page.goto(shared);
  await signIn(page, viewer);
  await showsSumOf(of(ANDROID_APP, [label]));
  expect(
    await poll(
      () => page.getByRole("main").innerText(),
      (shown) => shown === text,
    ),
  ).toBe(text);
});

function isoOf(date: Entry["date"]): string {
  const { year = 0, month = 0, day = 0 } = date ?? {};
  return [year, month, day].map((part) => String(part).padStart(2, "0")).join("-");
}
