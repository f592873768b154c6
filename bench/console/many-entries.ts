import type { Page } from "playwright-core";

const DAY_MS = 86_400_000;
const DAYS = 365;
/** Labels with messages on each day. */
const DAILY_LABELS = 20;
/** Labels with messages on any day. */
const LABELS = 2_000;
/** Apps with one message a day, in addition to the app with many entries. */
const SMALL_APPS = 299;
const SMALL_APP_DAYS = 35;
export const LARGE_APP = "com.example.many-labels";
export const LARGE_APP_ENTRIES = DAYS * DAILY_LABELS + LABELS - DAILY_LABELS;

/** Formats a day as `2026-03-05`. */
const isoOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/**
 * Generates messages of one app with many labels, and of many small apps. Daily labels have a message each day. All
 * other labels have one on the last day. Two of three messages are delivered.
 *
 * @param lastDay as a number of days since 1970.
 */
export function manyEvents(lastDay: number): object[] {
  const all: object[] = [];
  const add = (appId: string, day: number, index: number, analyticsLabel?: string): void => {
    const eventTime = `${isoOf(day)}T20:00:00Z`;
    const event = { appId, messageId: `${day}-${index}`, eventTime, usageReportingOptIn: true };
    all.push({ ...event, eventType: "ACCEPTED", ...(analyticsLabel && { analyticsLabel }) });
    if ((day + index) % 3 > 0) all.push({ ...event, eventType: "DELIVERED" });
  };
  for (let day = lastDay - DAYS + 1; day <= lastDay; day += 1) {
    for (let label = 0; label < DAILY_LABELS; label += 1) add(LARGE_APP, day, label, `label-${label}`);
  }
  for (let label = DAILY_LABELS; label < LABELS; label += 1) add(LARGE_APP, lastDay, label, `label-${label}`);
  for (let day = lastDay - SMALL_APP_DAYS + 1; day <= lastDay; day += 1) {
    for (let app = 0; app < SMALL_APPS; app += 1) {
      add(`com.example.shop-${String(app).padStart(3, "0")}`, day, app);
    }
  }
  return all;
}

export interface Use {
  readonly part: string;
  /** URL query that opens the view. */
  readonly view: string;
  /** Interacts with the view after the sign-in, and waits for the expected content. */
  use(page: Page): Promise<void>;
}

/** Interactions with all parts of the console, for the data of {@link manyEvents}. */
export function usesOf(lastDay: number): readonly Use[] {
  const year = `app=${LARGE_APP}&from=${isoOf(lastDay - DAYS + 1)}&to=${isoOf(lastDay)}`;
  return [
    {
      part: "the list of 300 apps",
      view: "",
      use: async (page) => {
        const table = page.getByRole("table", { name: "Apps" });
        await page.getByText(`50 of ${SMALL_APPS + 1} apps`).waitFor();
        await table.getByRole("cell", { name: /pts/ }).nth(40).waitFor();
        await table.locator("svg path[d^=M]").nth(40).waitFor({ state: "attached" });
        await page.getByRole("button", { name: "Show more apps" }).click();
        await page.getByText(`100 of ${SMALL_APPS + 1} apps`).waitFor();
        await table.getByRole("button", { name: "Change", exact: true }).click();
        await page.getByRole("searchbox", { name: "Search apps" }).fill("SHOP-29");
        await page.getByText(`9 of ${SMALL_APPS + 1} apps`).waitFor();
        const rows = await table.getByRole("rowheader").count();
        if (rows !== 9) throw new Error(`the table has ${rows} apps instead of 9`);
      },
    },
    {
      part: "an app with 2,000 labels",
      view: `?tab=labels&days=7&app=${LARGE_APP}`,
      use: async (page) => {
        const charts = page.getByRole("slider", { name: /^Delivered share of / });
        await page.getByText("24 of 2,000 labels").waitFor();
        await charts.nth(11).waitFor();
        await page.getByRole("searchbox", { name: "Search labels" }).fill("1999");
        await page.getByText("1 of 2,000 labels").waitFor();
        await page.getByRole("rowheader", { name: "label-1999" }).waitFor();
        await page.getByRole("slider", { name: "Delivered share of label-1999 by day" }).waitFor();
        await page.getByRole("searchbox", { name: "Search labels" }).fill("");
        await page.getByText("24 of 2,000 labels").waitFor();
      },
    },
    {
      part: "entries",
      view: `?tab=entries&${year}`,
      use: async (page) => {
        const position = page.getByRole("navigation", { name: "Pages of entries" }).getByRole("status");
        for (const first of ["101", "201", "301"]) {
          await page.getByRole("button", { name: "Next", exact: true }).click();
          await position.getByText(`Entries ${first} to`).waitFor();
        }
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: "Download CSV" }).click(),
        ]);
        const problem = await download.failure();
        if (problem !== null) throw new Error(problem);
        await page.getByText("CSV saved.").waitFor();
      },
    },
    {
      part: "labels",
      view: `?tab=labels&${year}`,
      use: async (page) => {
        const charts = page.getByRole("slider", { name: /^Delivered share of / });
        await charts.nth(11).waitFor();
        await page.getByRole("button", { name: "Delivered", exact: true }).click();
        await page.getByRole("button", { name: "Show more labels" }).click();
        await page.getByText("48 of 2,000 labels").waitFor();
        await page.getByRole("button", { name: "Show more charts" }).click();
        await charts.nth(23).waitFor();
      },
    },
    {
      part: "compare",
      view: `?tab=compare&${year}`,
      use: async (page) => {
        await page.getByRole("table", { name: "All categories of both sides" }).waitFor();
        await page.getByRole("button", { name: "Two ranges" }).click();
        await page.getByRole("heading", { name: "No entries in this view" }).waitFor();
      },
    },
    {
      part: "overview",
      view: `?tab=overview&${year}`,
      use: async (page) => {
        await page.getByRole("region", { name: "Key figures" }).waitFor();
        await page.getByRole("button", { name: /^Los Angeles days/ }).click();
        await page.getByRole("button", { name: "7 days", exact: true }).click();
        await page.waitForURL(/days=7/);
        await page.locator("main [aria-busy=false]").waitFor();
      },
    },
  ];
}
