import type { Page } from "playwright-core";
import { expect } from "vitest";
import { formatDay } from "../../src/model/day.js";
import { chooseDays, keyFigure, test as serving, urlParameters } from "../support/browser/console.js";
import { holdRequests } from "../support/browser/hold-requests.js";
import { readTable } from "../support/browser/page-table.js";
import { accepted, type Entry, entryName } from "../support/data/delivery-data.js";
import { countsIn, countText, percentText, type TrueCounts } from "../support/data/delivery-truth.js";
import { importEvents } from "../support/data/import.js";
import { ANDROID_APP } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

let page: Page;

/** First of the last seven days, on which deliveries of all labels are halved. */
const FAULT_DAY = TODAY - 7;

serving.override("traffic", {
  days: 21,
  messages: 4_000,
  labels: 4,
  faults: [{ from: formatDay(FAULT_DAY), delivered: 0.5 }],
});
const test = serving
  .extend("days", { scope: "file" }, ({ truth }) => [...new Set(truth.map(dayOf))])
  .extend("open", ({ console, viewer }) => async (view: string): Promise<void> => {
    page = await console.signedIn(viewer, view);
    await page.getByRole("table", { name: TABLE }).waitFor();
  })
  .extend(
    "countsOf",
    ({ truth }) =>
      (select: (entry: Entry) => boolean): TrueCounts =>
        countsIn(truth.filter(select)),
  );

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

/** Table rows to check: title, counts to add up, denominator. */
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

/** The date one year earlier. A leap day becomes February 28. */
const yearBefore = (date: string): string =>
  `${Number(date.slice(0, 4)) - 1}${date.slice(4).replace("-02-29", "-02-28")}`;

/** Compares the table with both sides' counts. */
async function tableShows(left: TrueCounts, right: TrueCounts): Promise<void> {
  const { rows } = await readTable(page, TABLE);
  const messages = [left, right].map(({ countMessagesAccepted }) => countText(countMessagesAccepted));
  expect(rows.find(([title]) => title === "Messages")?.slice(1, 3)).toEqual(messages);
  for (const [title, names, of] of SHARES) {
    const percents = [left, right].map((counts) => {
      const count = names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
      const text = percentText(count, counts[of]);
      // The difference between shares as shown.
      return { text, percent: Math.round((1000 * count) / (counts[of] ?? 0)) / 10 };
    });
    const [from, to] = percents;
    expect(rows.filter(([name]) => name === title).map((row) => row.slice(0, 4))).toEqual([
      [
        title,
        from?.text,
        to?.text,
        `${POINTS.format((to?.percent ?? 0) - (from?.percent ?? 0)).replace("-", "−")} pts`,
      ],
    ]);
  }
}

test("the comparison shows the two largest labels by default", async ({ truth, open, countsOf }) => {
  await open("?tab=compare");
  const labels = [...new Set(truth.map(({ analyticsLabel = "" }) => analyticsLabel))]
    .map((label) => ({ label, counts: countsOf(withLabel(label)) }))
    .sort((a, b) => (b.counts.countMessagesAccepted ?? 0) - (a.counts.countMessagesAccepted ?? 0));
  const [first, second, third] = labels;
  await tableShows(first?.counts ?? {}, second?.counts ?? {});

  const nameOf = (label = ""): string => (label === "" ? "(no label)" : label);
  const heading = (right: typeof first) =>
    page.getByRole("heading", { name: `${nameOf(first?.label)} vs ${nameOf(right?.label)}`, exact: true });
  await page.getByRole("button", { name: /^Right / }).click();
  await page.getByRole("option", { name: nameOf(third?.label) }).click();
  await heading(third).waitFor();
  await tableShows(first?.counts ?? {}, third?.counts ?? {});
  expect(await urlParameters(page, "right")).toEqual([third?.label]);
  await page.goBack();
  await heading(second).waitFor();
  await tableShows(first?.counts ?? {}, second?.counts ?? {});
});

test("the comparison shows a range and the range before it", async ({ open, countsOf, days }) => {
  await open("?tab=compare&compare=ranges&days=7");
  await tableShows(countsOf(onDays(days.slice(7, 14))), countsOf(onDays(days.slice(0, 7))));
});

test("the previous comparison stays visible, dimmed, while a new one loads", async ({ open }) => {
  await open("?tab=compare");
  const before = await readTable(page, TABLE);
  await page.route("**/deliveryData:aggregate?*", () => undefined);
  await chooseDays(page, "7 days");
  const stale = page.locator("main [aria-busy=true]");
  await stale.nth(1).waitFor();
  expect(await readTable(page, TABLE)).toEqual(before);
  const opacities = await stale.evaluateAll((all) =>
    all.map((one) => Number(one.ownerDocument.defaultView?.getComputedStyle(one).opacity)),
  );
  expect(opacities.filter((opacity) => opacity < 1)).toHaveLength(1);
});

test("a range can be compared with any other range, and the URL contains both", async ({
  open,
  days,
  countsOf,
}) => {
  await open("?tab=compare&compare=ranges&days=7");
  const other = days.slice(12, 20);
  const left = page.getByRole("button", { name: /^Left / });
  await left.getByText("Period before").waitFor();
  await left.click();
  await page.getByLabel("From (left)").fill(other.at(-1) ?? "");
  await page.getByLabel("To (left)").fill(other[0] ?? "");
  await page.keyboard.press("Enter");
  expect(await urlParameters(page, "otherFrom", "otherTo")).toEqual([other.at(-1), other[0]]);
  await left.getByText("Period before").waitFor({ state: "detached" });
  await page.locator("main [aria-busy=false]").first().waitFor();
  await page.reload();
  await page.getByRole("table", { name: TABLE }).waitFor();
  await tableShows(countsOf(onDays(other)), countsOf(onDays(days.slice(0, 7))));
  // Counts for eight and seven days are not compared.
  expect((await readTable(page, TABLE)).rows.find(([title]) => title === "Messages")?.[3]).toBe(
    "8 and 7 days",
  );
});

test("a range can be compared with the same dates of last year, and the URL contains this choice", async ({
  open,
  server,
  editor,
  truth,
  days,
  countsOf,
}) => {
  const [last = "", , , within = ""] = days;
  const first = days[6] ?? "";
  const lost = Array.from({ length: 3 }, () => accepted(ANDROID_APP, `${yearBefore(within)}T20:00:00Z`));
  await importEvents(server, editor, lost, { appId: ANDROID_APP, entries: truth.length + 1 });
  await open("?tab=compare&compare=ranges&days=7");
  const left = page.getByRole("button", { name: /^Left / });
  await left.click();
  await page.getByRole("button", { name: "Last year", exact: true }).click();
  await left.getByText("Last year").waitFor();
  const showsLastYear = async (): Promise<void> => {
    await page.getByRole("heading", { name: new RegExp(` ${yearBefore(first).slice(0, 4)} vs `) }).waitFor();
    await left.click();
    expect(await page.getByLabel("From (left)").inputValue()).toBe(yearBefore(first));
    expect(await page.getByLabel("To (left)").inputValue()).toBe(yearBefore(last));
    await page.keyboard.press("Escape");
    const { rows } = await readTable(page, TABLE);
    expect(rows.find(([title]) => title === "Messages")?.slice(1, 3)).toEqual([
      "3",
      countText(countsOf(onDays(days.slice(0, 7))).countMessagesAccepted),
    ]);
  };
  await showsLastYear();
  expect(await urlParameters(page, "earlier")).toEqual(["year"]);
  await page.reload();
  await page.getByRole("table", { name: TABLE }).waitFor();
  await showsLastYear();
});

test("one chart shows both sides of a comparison in the chosen category", async ({
  open,
  days,
  countsOf,
}) => {
  await open("?tab=compare&compare=ranges&days=7");
  const [before, now] = [countsOf(onDays(days.slice(7, 8))), countsOf(onDays(days.slice(0, 1)))];
  const reading = (name: string): string[] =>
    [before, now].map(
      (counts) =>
        `${percentText(counts[name], counts.countMessagesAccepted)} (${countText(counts[name] ?? 0)})`,
    );
  const cursorOf = (title: string) => page.getByRole("slider", { name: `${title} by day, by day` });
  const readingOf = async (title: string): Promise<string> =>
    (await cursorOf(title).getAttribute("aria-valuetext")) ?? "";

  // The last days of both ranges have the same date.
  for (const words of reading("delivered")) expect(await readingOf("Delivered")).toContain(words);
  expect(await page.getByRole("figure").count()).toBe(1);
  const table = page.getByRole("table", { name: TABLE });
  const { y: top = 0 } = (await table.boundingBox()) ?? {};
  expect(top).toBeLessThanOrEqual((await cursorOf("Delivered").boundingBox())?.y ?? 0);

  await table.getByRole("button", { name: "Pending", exact: true }).press("Enter");
  for (const words of reading("pending")) expect(await readingOf("Pending")).toContain(words);
  expect(await urlParameters(page, "category")).toEqual(["pending"]);
  await page.reload();
  await cursorOf("Pending").waitFor();
  await table.getByRole("button", { name: "Pending", exact: true, pressed: true }).waitFor();

  await table.getByRole("button", { name: "Messages", exact: true }).click();
  for (const { countMessagesAccepted } of [before, now])
    expect(await readingOf("Messages")).toContain(countText(countMessagesAccepted));
});

test("a comparison shows which differences are significant, with confidence intervals", async ({ open }) => {
  const verdictOf = async (title: string): Promise<string | undefined> =>
    (await readTable(page, TABLE)).rows.find(([name]) => name === title)?.[4];
  // In the last week, half of the deliveries are lost. Proxied notifications do not change.
  await open("?tab=compare&compare=ranges&days=7");
  await page.getByText("The difference is statistically significant.").waitFor();
  expect([await verdictOf("Delivered"), await verdictOf("Skipped: opted out")]).toEqual(["yes", "no"]);
  await page.getByText("How is this decided?").click();
  const { rows } = await readTable(page, "Confidence intervals");
  const [, points = "", least = "", most = ""] = rows.find(([title]) => title === "Delivered") ?? [];
  expect(points).toMatch(/^−\d+\.\d pts$/);
  // Both limits are below 0.
  expect([least, most].join()).toMatch(/^−\d+\.\d pts,−\d+\.\d pts$/);
});

test("a share is worse in the overview if comparing the same ranges is significant", async ({
  open,
  console,
  days,
}) => {
  // The incident lasts on 7 of the 10 days, and does not hide its own effect.
  const range = `from=${days[9]}&to=${days[0]}`;
  await open(`?tab=compare&compare=ranges&${range}`);
  await page.getByText("The difference is statistically significant.").waitFor();
  await page.goto(`${console.url}?${range}`);
  const change = keyFigure(page, "Delivered").locator("xpath=following-sibling::dd[1]");
  await change.getByText(", worse").waitFor();
  await page.getByRole("heading", { name: /delivered, with \d+ incident/ }).waitFor();

  // The chart names the incident. The link starts 14 days earlier, and has no end date.
  await page.locator("[data-incident]", { hasText: "The whole app" }).waitFor();
  await page.getByRole("link", { name: /^The whole app fell on .+ and has not recovered$/ }).click();
  await page.getByRole("table", { name: "Labels" }).waitFor();
  expect(await urlParameters(page, "from", "to")).toEqual([formatDay(FAULT_DAY - 14), null]);
});

test("a comparison of too few days has no significance", async ({ open, days }) => {
  await open(`?tab=compare&compare=ranges&from=${days[1]}&to=${days[0]}`);
  await page.getByText("There are too few days with messages to rule out chance.").waitFor();
  const { rows } = await readTable(page, TABLE);
  expect(rows.find(([title]) => title === "Delivered")?.[4]).toBe("too few days");
});

test("a side of a comparison without entries shows a notice, and the other side shows its figures", async ({
  open,
  countsOf,
  days,
}) => {
  await open("?tab=compare&compare=ranges&days=7&otherFrom=2020-01-01&otherTo=2020-01-07");
  await page.getByRole("heading", { name: "No entries in this view" }).waitFor();
  const { rows } = await readTable(page, TABLE);
  const { delivered, countMessagesAccepted } = countsOf(onDays(days.slice(0, 7)));
  expect(rows.find(([title]) => title === "Delivered")).toEqual([
    "Delivered",
    "–",
    percentText(delivered, countMessagesAccepted),
    "–",
    "–",
  ]);
});

test("figures never appear under the name of another label while data loads", async ({
  truth,
  open,
  countsOf,
}) => {
  const labels = [...new Set(truth.map(({ analyticsLabel = "" }) => analyticsLabel))];
  const [first = "", second = "", third = ""] = labels.filter((label) => label !== "");
  await open(`?tab=compare&left=${first}&right=${second}&days=90`);
  const title = page.getByRole("heading", { name: " vs " });
  const shown = await readTable(page, TABLE);
  const release = await holdRequests(page, "**/deliveryData:aggregate?*");
  await page.getByRole("button", { name: /^Left/ }).click();
  await page.getByRole("option", { name: third }).click();
  await page.getByRole("button", { name: /^Left/ }).getByText(third).waitFor();
  expect(await title.innerText()).toContain(first);
  expect(await readTable(page, TABLE)).toEqual(shown);
  release();
  await title.getByText(third).waitFor();
  await tableShows(countsOf(withLabel(third)), countsOf(withLabel(second)));
});
