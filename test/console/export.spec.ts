import { execFile } from "node:child_process";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import {
  chooseDays,
  chooseOfChart,
  daysButton,
  type PageOptions,
  readDays,
  test as serving,
} from "../support/browser/console.js";
import { countColors, factsOfSvg } from "../support/browser/images.js";
import { copiedText } from "../support/browser/watched-page.js";
import { parseCsv, unguarded } from "../support/data/csv.js";
import { type Entry, entryName } from "../support/data/delivery-data.js";
import { countsIn } from "../support/data/delivery-truth.js";
import { entriesOf } from "../support/data/import.js";
import { ANDROID_APP } from "../support/servers/project.js";

const run = promisify(execFile);
let page: Page;

serving.override("traffic", { days: 80, messages: 12_000, labels: 16 });
const test = serving
  .extend("open", ({ console, viewer }) => async (view: string, options?: PageOptions): Promise<void> => {
    page = await console.signedIn(viewer, view, options);
  })
  /** Entries, as the service currently lists them. */
  .extend(
    "listed",
    ({ server, viewer }) =>
      (): Promise<Entry[]> =>
        entriesOf(server, viewer, ANDROID_APP),
  );

/** Clicks a button and reads the downloaded file. */
const fileOf = (button: string): Promise<{ name: string; bytes: Buffer }> =>
  downloadAfter(() => page.getByRole("button", { name: button }).first().click());

/** Saves the outcomes chart through its menu. */
const imageOf = (button: string): Promise<{ name: string; bytes: Buffer }> =>
  downloadAfter(() => chooseOfChart(page, "Outcomes", button));

async function downloadAfter(act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return { name: download.suggestedFilename(), bytes: await buffer(await download.createReadStream()) };
}

const takeAway = () => page.getByRole("region", { name: "Export" });

const PERCENT_GROUPS = [
  "messageOutcomePercents",
  "deliveryPerformancePercents",
  "messageInsightPercents",
  "proxyNotificationInsightPercents",
];

test("the CSV file has every figure of every entry, like the API", async ({ open, listed }) => {
  await open("?tab=entries&days=90");
  const { name, bytes } = await fileOf("Download CSV");
  expect(name).toMatch(/^entries_[\w.-]+_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv$/);
  const [head = [], ...rows] = parseCsv(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  const entries = await listed();
  expect(entries.length).toBeGreaterThan(1_000);
  expect(rows.length).toBe(entries.length);
  expect(head.length).toBe(24);
  rows.forEach((row, index) => {
    const cells = new Map(head.map((column, at) => [column, row[at] ?? ""]));
    const entry = entries[index];
    if (entry === undefined) throw new Error("more rows than entries");
    const data = entry.data as Record<string, string | Record<string, number> | undefined>;
    expect(unguarded(cells.get("appId") ?? "")).toBe(entry.appId);
    expect(`${cells.get("date")} ${unguarded(cells.get("analyticsLabel") ?? "")}`).toBe(entryName(entry));
    expect(cells.get("countMessagesAccepted")).toBe(data.countMessagesAccepted);
    expect(cells.get("countNotificationsAccepted")).toBe(data.countNotificationsAccepted ?? "0");
    for (const [column, cell] of cells) {
      const [group = "", field = ""] = column.split(".");
      if (!PERCENT_GROUPS.includes(group)) continue;
      const percents = data[group] as Record<string, number> | undefined;
      expect(cell).toBe(percents === undefined ? "" : String(percents[field] ?? 0));
    }
    // Every percentage has a column.
    for (const group of PERCENT_GROUPS) {
      for (const field of Object.keys(data[group] ?? {})) expect(head).toContain(`${group}.${field}`);
    }
  });
});

/** Checks a line of sums against its entries. */
function expectSums(line: ReadonlyMap<string, string>, entries: readonly Entry[]): void {
  const counts = countsIn(entries);
  expect(Number(line.get("countMessagesAccepted"))).toBe(counts.countMessagesAccepted);
  expect(Number(line.get("countNotificationsAccepted"))).toBe(counts.countNotificationsAccepted);
  const columns = [...line.keys()].filter((column) => column.includes("."));
  expect(columns.length).toBe(19);
  for (const column of columns) {
    const [group = "", name = ""] = column.split(".");
    const ofNotifications = group === "proxyNotificationInsightPercents";
    const whole = counts[ofNotifications ? "countNotificationsAccepted" : "countMessagesAccepted"] ?? 0;
    if (whole === 0) expect(line.get(column)).toBe("");
    else expect(Number(line.get(column))).toBeCloseTo((100 * (counts[name] ?? 0)) / whole, 9);
  }
}

/** Parses a CSV file into lines with column names. */
function linesOf(bytes: Buffer): ReadonlyMap<string, string>[] {
  const [head = [], ...rows] = parseCsv(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  return rows.map((row) => new Map(head.map((column, at) => [column, row[at] ?? ""])));
}

test("the CSV file of labels has sums for each label that the search finds", async ({ open, truth }) => {
  await open("?tab=labels&days=90");
  const { name, bytes } = await fileOf("Download CSV");
  expect(name).toMatch(/^labels_[\w.-]+_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv$/);
  const labels = [...new Set(truth.map(({ analyticsLabel = "" }) => analyticsLabel))];
  const lines = linesOf(bytes);
  const labelOf = (line: ReadonlyMap<string, string>) => unguarded(line.get("analyticsLabel") ?? "");
  expect(lines.map(labelOf).sort()).toEqual(labels.sort());
  for (const line of lines) {
    expect(unguarded(line.get("appId") ?? "")).toBe(ANDROID_APP);
    const own = truth.filter(({ analyticsLabel = "" }) => analyticsLabel === labelOf(line));
    expectSums(line, own);
  }
  const isPartOf = (label: string): boolean => labels.filter((other) => other.includes(label)).length > 1;
  const some = labels.find((label) => /^\w{4}/.test(label) && !isPartOf(label)) ?? "";
  await page.getByRole("searchbox", { name: "Search labels" }).fill(some);
  await page.getByRole("status").getByText(`1 of ${labels.length} labels`, { exact: true }).waitFor();
  expect(linesOf((await fileOf("Download CSV")).bytes).map(labelOf)).toEqual([some]);
});

test("the CSV file of a comparison has a line for each side", async ({ open, truth }) => {
  await open("?tab=compare&compare=ranges&days=7");
  const { name, bytes } = await fileOf("Download CSV");
  expect(name).toMatch(/^compared_/);
  const lines = linesOf(bytes);
  const dates = [...new Set(truth.map((entry) => entryName(entry).split(" ")[0] ?? ""))].sort().reverse();
  const sides = [dates.slice(7, 14), dates.slice(0, 7)];
  expect(lines.map((line) => [line.get("lastDate"), line.get("firstDate")])).toEqual(
    sides.map((days) => [days[0], days.at(-1)]),
  );
  lines.forEach((line, index) => {
    expectSums(
      line,
      truth.filter((entry) => sides[index]?.includes(entryName(entry).split(" ")[0] ?? "")),
    );
  });
});

test("the JSON file has the same content as the API response", async ({ open, listed }) => {
  await open("?tab=entries&days=90");
  const { name, bytes } = await fileOf("Download JSON");
  expect(name).toMatch(/\.json$/);
  expect(JSON.parse(bytes.toString())).toEqual({ androidDeliveryData: await listed() });
  await takeAway().getByText("JSON saved.").waitFor();
});

test("a canceled download saves no file, and a second download works", async ({ open }) => {
  await open("?tab=entries&days=90");
  const downloads: string[] = [];
  page.on("download", (download) => downloads.push(download.suggestedFilename()));
  const second = "**/deliveryData?*pageSize=1000&pageToken=*";
  // Delays the second page until the download is canceled.
  await page.route(second, () => undefined);
  await page.getByRole("button", { name: "Download CSV" }).click();
  await takeAway().getByText("1,000 entries fetched").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await takeAway().getByText("Canceled.").waitFor();
  await page.unroute(second);
  const { bytes } = await fileOf("Download JSON");
  expect(bytes.length).toBeGreaterThan(1_000);
  expect(downloads.filter((name) => name.endsWith(".csv"))).toEqual([]);
});

test("the curl command lists the same entries as the page, and contains no token", async ({
  truth,
  viewer,
  open,
}) => {
  const labels = [...new Set(truth.map(({ analyticsLabel = "" }) => analyticsLabel))].slice(0, 3);
  expect(labels).toContain("");
  const chosen = labels.map((label) => `&label=${encodeURIComponent(label)}`).join("");
  await open(`?tab=entries&days=7${chosen}`, { permissions: ["clipboard-write"] });
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await takeAway().getByText("Copied.").waitFor();
  const line = await copiedText(page);
  expect(line).not.toContain(viewer);
  const { stdout } = await run("sh", ["-c", line], { env: { ...process.env, TOKEN: viewer } });
  const days = [...new Set(truth.map((entry) => entryName(entry).split(" ")[0]))].slice(0, 7);
  const expected = truth.filter(
    (entry) =>
      labels.includes(entry.analyticsLabel ?? "") && days.includes(entryName(entry).split(" ")[0] ?? ""),
  );
  expect(expected.length).toBeGreaterThan(7);
  expect(JSON.parse(stdout)).toEqual({ androidDeliveryData: expected });
});

test("the curl command is shown on the page if the browser blocks copying", async ({ open }) => {
  await open("?tab=labels");
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }) && true);
  await page.getByRole("link", { name: "Entries", exact: true }).click();
  await page.getByRole("button", { name: "Copy as curl" }).click();
  const field = page.getByRole("textbox", { name: "curl command" });
  const line = await field.inputValue();
  expect(line).toMatch(/^curl .*Bearer \$TOKEN"$/);
  // The command follows the view.
  await chooseDays(page, "7 days");
  await daysButton(page).getByText("7 days").waitFor();
  const [first] = await readDays(page);
  expect(line).not.toContain(`>= "${first}"`);
  expect(await field.inputValue()).toContain(`>= "${first}"`);
});

test("a chart can be saved as a self-contained SVG file, and as a PNG file of twice the size", async ({
  open,
}) => {
  await open("?outcomes=all", { colorScheme: "dark" });
  const figure = page.getByRole("figure", { name: "Outcomes", exact: true });
  await figure.locator("svg text").first().waitFor();
  const onPage = [
    ...(await figure.locator("svg text").allTextContents()),
    ...(await page
      .getByRole("region", { name: "Outcomes", exact: true })
      .locator("[data-series]")
      .allTextContents()),
  ];
  expect(onPage).toEqual(expect.arrayContaining(["100%", "Delivered", "Unaccounted for"]));
  const svg = await imageOf("Download SVG");
  const text = svg.bytes.toString();
  expect(svg.name).toMatch(/^outcomes_.*\.svg$/);
  // The file has no references to the page.
  expect(text).not.toMatch(/var\(|class=|style=|https?:\/\/(?!www\.w3\.org\/)/);
  // Uses a blank page, because the console's content security policy blocks documents from text.
  const elsewhere = await page.context().newPage();
  const { kind, title, texts, size } = await elsewhere.evaluate(factsOfSvg, text);
  expect({ kind, title }).toEqual({ kind: "svg", title: "Outcomes" });
  // The title, then app and days, then all text in the chart.
  expect(texts[0]).toBe("Outcomes");
  expect(texts[1]).toContain(ANDROID_APP);
  expect(texts.slice(2).sort()).toEqual(onPage.sort());

  const png = await imageOf("Download PNG");
  expect(png.name).toMatch(/^outcomes_.*\.png$/);
  expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
  expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual(
    size.map((length) => Math.round(2 * length)),
  );
  // The background, the delivered share, and other colors.
  const colors = await elsewhere.evaluate(countColors, png.bytes.toString("base64"));
  expect(colors).toBeGreaterThan(6);
});
