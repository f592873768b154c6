import type { Page } from "playwright-core";
import { expect } from "vitest";
import { chooseDays, test as serving, urlParameters } from "../support/browser/console.js";
import { holdRequests } from "../support/browser/hold-requests.js";
import { type PageTable, readTable } from "../support/browser/page-table.js";
import { type Entry, entryName } from "../support/data/delivery-data.js";
import { countsIn, countText, percentText } from "../support/data/delivery-truth.js";

let page: Page;

serving.override("traffic", { days: 40, messages: 5_000, labels: 6 });
const test = serving.extend("open", ({ console, viewer }) => async (view: string): Promise<void> => {
  page = await console.signedIn(viewer, view);
  await page.getByRole("table", { name: "Entries" }).waitFor();
});

const position = () => page.getByRole("navigation", { name: "Pages of entries" }).getByRole("status");

const OUTCOMES = [
  "delivered",
  "pending",
  "collapsed",
  "droppedTooManyPendingMessages",
  "droppedAppForceStopped",
  "droppedDeviceInactive",
  "droppedTtlExpired",
];
const PERFORMANCE = [
  "deliveredNoDelay",
  "delayedDeviceOffline",
  "delayedDeviceDoze",
  "delayedMessageThrottled",
  "delayedUserStopped",
];
const PROXY = [
  "proxied",
  "failed",
  "skippedUnsupported",
  "skippedNotThrottled",
  "skippedUnconfigured",
  "skippedOptedOut",
];

/** An entry's table cells. */
function cellsOf(entry: Entry): string[] {
  const counts = countsIn([entry]);
  const { countMessagesAccepted: messages, countNotificationsAccepted: notifications } = counts;
  const [date = "", label = ""] = entryName(entry).split(" ");
  return [
    date,
    label === "" ? "(no label)" : label,
    countText(messages),
    countText(notifications),
    ...[...OUTCOMES, ...PERFORMANCE, "priorityLowered"].map((name) => percentText(counts[name], messages)),
    ...PROXY.map((name) => percentText(counts[name], notifications)),
  ];
}

/** Presses a button by keyboard and waits for a position. */
async function press(button: string, leadsTo: string): Promise<PageTable> {
  await page.getByRole("button", { name: button, exact: true }).focus();
  await page.keyboard.press("Enter");
  await position().getByText(leadsTo).waitFor();
  return readTable(page, "Entries");
}

test("all pages of entries together show the whole list, forward and backward", async ({ truth, open }) => {
  await open("?tab=entries&days=90");
  const expected = truth.map(cellsOf);
  expect(expected.length).toBeGreaterThan(200);
  const rows = [...(await readTable(page, "Entries")).rows];
  expect(await position().innerText()).toBe("Entries 1 to 100, and more");
  for (let first = 101; first <= expected.length; first += 100) {
    rows.push(...(await press("Next", `Entries ${countText(first)} to`)).rows);
  }
  expect(rows).toEqual(expected);
  const total = countText(expected.length);
  expect(await position().innerText()).toMatch(new RegExp(` to ${total} of ${total}$`));
  // On the last page, the button keeps focus, and keys keep working.
  const next = page.getByRole("button", { name: "Next", exact: true });
  expect(await next.getAttribute("aria-disabled")).toBe("true");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Next");

  const last = Math.floor((expected.length - 1) / 100) * 100;
  const { rows: before } = await press("Previous", `Entries ${countText(last - 99)} to`);
  expect(before).toEqual(expected.slice(last - 100, last));
});

test("the list of entries contains only the chosen days and labels, and starts at the first page", async ({
  truth,
  open,
}) => {
  await open("?tab=entries&days=90");
  await press("Next", "Entries 101 to");
  await chooseDays(page, "7 days");
  await position().getByText("Entries 1 to").waitFor();
  const labels = [...new Set(truth.map(({ analyticsLabel = "" }) => analyticsLabel))].slice(0, 2);
  const dates = [...new Set(truth.map((entry) => entryName(entry).split(" ")[0] ?? ""))].slice(0, 7);
  const expected = truth.filter((entry) => dates.includes(entryName(entry).split(" ")[0] ?? "")).map(cellsOf);
  expect((await readTable(page, "Entries")).rows).toEqual(expected);

  const names = labels.map((label) => (label === "" ? "(no label)" : label));
  await page.getByRole("button", { name: /^Labels / }).click();
  for (const name of names) await page.getByRole("option", { name }).click();
  await page.keyboard.press("Escape");
  const few = expected.filter(([, name = ""]) => names.includes(name));
  await position().getByText(`Entries 1 to ${few.length} of ${few.length}`).waitFor();
  expect((await readTable(page, "Entries")).rows).toEqual(few);
});

test("the URL contains the page number, and the browser history moves between pages", async ({
  truth,
  open,
}) => {
  await open("?tab=entries&days=90&page=3");
  await position().getByText("Entries 201 to").waitFor();
  expect((await readTable(page, "Entries")).rows).toEqual(truth.slice(200, 300).map(cellsOf));
  await press("Previous", "Entries 101 to");
  expect(await urlParameters(page, "page")).toEqual(["2"]);
  await page.goBack();
  await position().getByText("Entries 201 to").waitFor();
  await page.getByRole("link", { name: "(no label)" }).first().click();
  expect(await urlParameters(page, "page")).toEqual([null]);
});

test("the second page never shows entries of the first page while it is loading", async ({ truth, open }) => {
  await open("?tab=entries&days=90");
  await position().getByText("Entries 1 to").waitFor();
  const release = await holdRequests(page, /deliveryData\?.*pageToken=/);
  const asked = page.waitForRequest(/deliveryData\?.*pageToken=/);
  const positions = page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const texts: string[] = [];
        new MutationObserver(() => {
          const text = document.querySelector(
            "nav[aria-label='Pages of entries'] [role=status]",
          )?.textContent;
          texts.push(text ?? "");
          // Empty while the second page is loading.
          if (text === "") resolve(texts);
        }).observe(document.body, { childList: true, characterData: true, subtree: true });
      }),
  );
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await asked;
  expect((await positions).filter((text) => text.includes("101"))).toEqual([]);
  release();
  await position().getByText("Entries 101 to").waitFor();
  expect((await readTable(page, "Entries")).rows).toEqual(truth.slice(100, 200).map(cellsOf));
});

test("a page number after the last page shows a link to the first page", async ({ console, viewer }) => {
  page = await console.signedIn(viewer, "?tab=entries&days=90&page=40");
  await page.getByRole("heading", { name: "Page 40 does not exist" }).waitFor();
  await page.getByRole("link", { name: "Show the first page" }).click();
  await position().getByText("Entries 1 to").waitFor();
});

test("an expired page token shows a link to the first page", async ({ open, problems }) => {
  await open("?tab=entries&days=90");
  await press("Next", "Entries 101 to");
  await page.route("**/deliveryData?*pageToken=*", (route) => {
    const url = new URL(route.request().url());
    // An invalid token has the same effect as an expired one.
    url.searchParams.set("pageToken", "AAAA");
    return route.continue({ url: url.href });
  });
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByRole("heading", { name: "This page of the list has expired" }).waitFor();
  problems.length = 0;
  await page.getByRole("button", { name: "Try again" }).click();
  await position().getByText("Entries 1 to 100").waitFor();
});
