import type { Page } from "playwright-core";
import { afterEach, expect } from "vitest";
import { test as serving } from "../support/browser/console.js";
import { readTable } from "../support/browser/page-table.js";
import type { WatchedPage } from "../support/browser/watched-page.js";
import { type Entry, entryName } from "../support/delivery-data.js";
import { countsIn, countText, percentText, type TrueCounts } from "../support/delivery-truth.js";

let watched: WatchedPage;
let page: Page;

serving.override("traffic", { days: 21, messages: 4_000, labels: 4 });
const test = serving
  .extend("days", { scope: "file" }, ({ truth }) => [...new Set(truth.map(dayOf))])
  .extend("open", ({ console, viewer }) => async (view: string): Promise<void> => {
    watched = await console.signedIn(viewer, view);
    page = watched.page;
    await page.getByRole("table", { name: TABLE }).waitFor();
  })
  .extend(
    "countsOf",
    ({ truth }) =>
      (select: (entry: Entry) => boolean): TrueCounts =>
        countsIn(truth.filter(select)),
  );

afterEach(async () => {
  expect(watched.problems()).toEqual([]);
  await watched.close();
});

const TABLE = "All categories of both sides";

const dayOf = (entry: Entry): string => entryName(entry).split(" ")[0] ?? "";

const withLabel =
  (label: string) =>
  ({ analyticsLabel = "" }: Entry): boolean =>
    analyticsLabel === label;

const onDays =
  (some: readonly string[]) =>
  (entry: Entry): boolean =>
    some.includes(dayOf(entry));

/** Rows of the table to check: title on the page, counts that it adds up, denominator. */
const SHARES = [
  ["Delivered", ["delivered"], "countMessagesAccepted"],
  ["Dropped: expired", ["droppedTtlExpired"], "countMessagesAccepted"],
  ["Delivered without delay", ["deliveredNoDelay"], "countMessagesAccepted"],
  ["Delayed: doze", ["delayedDeviceDoze"], "countMessagesAccepted"],
  ["Priority lowered", ["priorityLowered"], "countMessagesAccepted"],
  ["Proxied", ["proxied"], "countNotificationsAccepted"],
] as const;

const POINTS = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});

/** Compares the table with the counts of both sides. */
async function tableShows(left: TrueCounts, right: TrueCounts): Promise<void> {
  const { rows } = await readTable(page, TABLE);
  const messages = [left, right].map(({ countMessagesAccepted }) => countText(countMessagesAccepted));
  expect(rows.find(([title]) => title === "Messages")?.slice(1, 3)).toEqual(messages);
  for (const [title, names, of] of SHARES) {
    const percents = [left, right].map((counts) => {
      const count = names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
      const text = percentText(count, counts[of]);
      // The difference is that of the shares as shown.
      return { text, percent: Math.round((1000 * count) / (counts[of] ?? 0)) / 10 };
    });
    const [from, to] = percents;
    expect(rows.filter(([name]) => name === title)).toEqual([
      [
        title,
        from?.text,
        to?.text,
        `${POINTS.format((to?.percent ?? 0) - (from?.percent ?? 0)).replace("-", "−")} pts`,
      ],
    ]);
  }
}

test("the two labels with the most messages are compared by default", async ({ truth, open, countsOf }) => {
  await open("?tab=compare");
  const labels = [...new Set(truth.map(({ analyticsLabel = "" }) => analyticsLabel))]
    .map((label) => ({ label, counts: countsOf(withLabel(label)) }))
    .sort((a, b) => (b.counts.countMessagesAccepted ?? 0) - (a.counts.countMessagesAccepted ?? 0));
  const [first, second, third] = labels;
  await tableShows(first?.counts ?? {}, second?.counts ?? {});

  const name = third?.label === "" ? "(unlabelled)" : (third?.label ?? "");
  await page.getByRole("button", { name: /^Right / }).click();
  await page.getByRole("option", { name }).click();
  await page
    .getByRole("heading", { name: new RegExp(`against ${name.replace(/[()]/g, "\\$&")}$`) })
    .waitFor();
  await tableShows(first?.counts ?? {}, third?.counts ?? {});
  expect(new URL(page.url()).searchParams.get("right")).toBe(third?.label);
  await page.goBack();
  await tableShows(first?.counts ?? {}, second?.counts ?? {});
});

test("a range is compared with the one before it", async ({ open, countsOf, days }) => {
  await open("?tab=compare&compare=ranges&days=7");
  await tableShows(countsOf(onDays(days.slice(7, 14))), countsOf(onDays(days.slice(0, 7))));
});

test("the previous sides stay while others load, dimmed once", async ({ open }) => {
  await open("?tab=compare");
  const before = await readTable(page, TABLE);
  await page.route("**/deliveryData:aggregate?*", () => undefined);
  await page.getByRole("button", { name: "7 days" }).click();
  const stale = page.locator("main [aria-busy=true]");
  await stale.nth(1).waitFor();
  expect(await readTable(page, TABLE)).toEqual(before);
  const opacities = await stale.evaluateAll((all) =>
    all.map((one) => Number(one.ownerDocument.defaultView?.getComputedStyle(one).opacity)),
  );
  expect(opacities.filter((opacity) => opacity < 1)).toHaveLength(1);
});

test("a range can be compared with any other, which the address keeps", async ({ open, days, countsOf }) => {
  await open("?tab=compare&compare=ranges&days=7");
  const other = days.slice(12, 20);
  await page.getByLabel("From (left)").fill(other.at(-1) ?? "");
  await page.getByLabel("To (left)").fill(other[0] ?? "");
  const { searchParams } = new URL(page.url());
  expect([searchParams.get("otherFrom"), searchParams.get("otherTo")]).toEqual([other.at(-1), other[0]]);
  await page.getByRole("button", { name: "The period before" }).and(page.locator(":enabled")).waitFor();
  await page.locator("main [aria-busy=false]").first().waitFor();
  await page.reload();
  await page.getByRole("table", { name: TABLE }).waitFor();
  await tableShows(countsOf(onDays(other)), countsOf(onDays(days.slice(0, 7))));
  // Eight days and seven: their counts are not compared.
  expect((await readTable(page, TABLE)).rows.find(([title]) => title === "Messages")?.[3]).toBe("–");
  expect(await page.locator("[data-change]").first().innerText()).toBe("8 and 7 days");
});

test("charts of both sides have the same scale", async ({ truth, countsOf, open }) => {
  const labels = [...new Set(truth.map(({ analyticsLabel = "" }) => analyticsLabel))]
    .map((label) => ({ label, accepted: countsOf(withLabel(label)).countMessagesAccepted ?? 0 }))
    .sort((a, b) => b.accepted - a.accepted);
  const query = new URLSearchParams({
    tab: "compare",
    left: labels[0]?.label ?? "",
    right: labels.at(-1)?.label ?? "",
  });
  await open(`?${query}`);
  for (const title of ["Outcomes", "Delivery performance", "Accepted by day"]) {
    const charts = page.getByRole("figure", { name: new RegExp(`^${title}: `) });
    expect(await charts.count()).toBe(2);
    const [left = [], right = []] = await Promise.all(
      [0, 1].map((index) => charts.nth(index).locator("[data-axis=values] text").allTextContents()),
    );
    expect(left.length).toBeGreaterThan(2);
    expect(left).toEqual(right);
  }
  // One label has far more messages than the other.
  const [, from = "", to = ""] =
    (await readTable(page, TABLE)).rows.find(([title]) => title === "Messages") ?? [];
  expect(Number(from.replace(",", ""))).toBeGreaterThan(3 * Number(to.replace(",", "")));
});

test("a side without entries says so next to the other side", async ({ open, countsOf, days }) => {
  await open("?tab=compare&compare=ranges&days=7&otherFrom=2020-01-01&otherTo=2020-01-07");
  await page.getByRole("heading", { name: "No entries in this view" }).waitFor();
  const { rows } = await readTable(page, TABLE);
  const { delivered, countMessagesAccepted } = countsOf(onDays(days.slice(0, 7)));
  expect(rows.find(([title]) => title === "Delivered")).toEqual([
    "Delivered",
    "–",
    percentText(delivered, countMessagesAccepted),
    "–",
  ]);
});

test("figures never appear below the name of another label while data loads", async ({
  truth,
  open,
  countsOf,
}) => {
  const labels = [...new Set(truth.map(({ analyticsLabel = "" }) => analyticsLabel))];
  const [first = "", second = "", third = ""] = labels.filter((label) => label !== "");
  await open(`?tab=compare&left=${first}&right=${second}&days=90`);
  const title = page.getByRole("heading", { name: " against " });
  const shown = await readTable(page, TABLE);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/deliveryData:aggregate?*", async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole("button", { name: /^Left/ }).click();
  await page.getByRole("option", { name: third }).click();
  await page.getByRole("button", { name: /^Left/ }).getByText(third).waitFor();
  expect(await title.innerText()).toContain(first);
  expect(await readTable(page, TABLE)).toEqual(shown);
  release();
  await title.getByText(third).waitFor();
  await tableShows(countsOf(withLabel(third)), countsOf(withLabel(second)));
});
