import type { Page } from "playwright-core";
import { expect } from "vitest";
import { civilDate, formatDay } from "../../src/model/day.js";
import { keyFigure, test as serving } from "../support/browser/console.js";
import { columnOf, readTable } from "../support/browser/page-table.js";
import { signIn } from "../support/browser/sign-in.js";
import { type GivenEntry, MIRRORED, mirroredServer } from "../support/servers/mirrored-project.js";
import { TODAY } from "../support/today.js";

const APP = "app";
const OF_APP = `app=${APP}`;
const fetchedAt = new Date().toISOString();

const entryOf = (daysAgo: number, analyticsLabel: string, data: GivenEntry["entry"]["data"]): GivenEntry => ({
  fetchedAt,
  entry: { appId: APP, date: civilDate(TODAY - daysAgo), analyticsLabel, ...(data && { data }) },
});
const known = (delivered: number) => ({
  countMessagesAccepted: "200",
  messageOutcomePercents: { delivered },
  deliveryPerformancePercents: { deliveredNoDelay: delivered },
  messageInsightPercents: {},
});
const GIVEN: readonly GivenEntry[] = [
  entryOf(2, "news", known(90)),
  entryOf(2, "promo", known(80)),
  entryOf(2, "small", {}),
  entryOf(3, "promo", {}),
  entryOf(4, "promo", known(70)),
];

serving.override("traffic", false);
const test = serving
  .extend("server", { scope: "file" }, mirroredServer(GIVEN))
  .extend(
    "open",
    ({ console, viewer, newPage }) =>
      async (view: string, gaps: readonly object[]): Promise<void> => {
        page = await newPage();
        await page.route("**/mirrorGaps?*", (route) => route.fulfill({ json: { gaps } }));
        await page.goto(`${console.url}?project=${MIRRORED.id}&${view}`);
        await signIn(page, viewer);
      },
  );

let page: Page;

const notes = () => page.getByRole("region", { name: "Mirror" });

test("the overview in a mirrored project lists mirror gaps, and explains sums", async ({ open }) => {
  await open(`${OF_APP}&tab=overview&days=7`, [
    {
      appId: APP,
      kind: "MISSING_DATE",
      date: civilDate(TODAY - 5),
      expireDate: civilDate(TODAY + 2),
      startTime: fetchedAt,
    },
    { appId: APP, kind: "CREDENTIALS_REJECTED", startTime: fetchedAt, problem: "HTTP 403: no" },
  ]);
  await notes()
    .getByText(/^1 date is missing; .* expires upstream in 3 days\.$/)
    .waitFor();
  await notes()
    .getByText(
      /^The upstream service has rejected the mirror's credentials .*; the last attempt failed with HTTP 403: no\.$/,
    )
    .waitFor();
  await notes()
    .getByText(/which may be rounded\. 2 entries without figures are excluded\.$/)
    .waitFor();
  await keyFigure(page, "Accepted messages").getByText("600", { exact: true }).waitFor();
});

test("days with entries without figures are not reported as days without messages", async ({ open }) => {
  const date = formatDay(TODAY - 3);
  await open(`${OF_APP}&tab=overview&from=${date}&to=${date}`, []);
  await page.getByText(/^The mirror has no figures on /).waitFor();
  await notes().getByText("1 entry without figures is excluded").waitFor();
});

test("an app without entries shows its mirror gap", async ({ open }) => {
  await open("app=new&tab=overview", [{ appId: "new", kind: "ORIGINAL_UNAVAILABLE", startTime: fetchedAt }]);
  await page.getByRole("heading", { name: "No entries yet for new" }).waitFor();
  await notes()
    .getByText(/^The upstream service has been unavailable since /)
    .waitFor();
});

test("entries show a dash for a count that upstream has omitted", async ({ open }) => {
  await open(`${OF_APP}&tab=entries&days=7`, []);
  const table = await readTable(page, "Entries");
  expect(columnOf(table, "Label")).toEqual(["news", "promo", "small", "promo", "promo"]);
  expect(columnOf(table, "Messages")).toEqual(["200", "200", "–", "–", "200"]);
  expect(columnOf(table, "Notifications")).toEqual(["0", "0", "–", "–", "0"]);
  expect(await notes().getByText("Sums are computed").count()).toBe(0);
});

test("a shared view of a mirrored project explains sums", async ({ console, newPage }) => {
  const shared = await newPage();
  const groups = [
    {
      date: civilDate(TODAY - 2),
      counts: { countMessagesAccepted: "200", delivered: "180" },
      fromPercentages: true,
      excludedEntryCount: "1",
    },
    { date: civilDate(TODAY - 3), counts: {}, fromPercentages: true, excludedEntryCount: "1" },
  ];
  await shared.route("**/embed/data", (route) =>
    route.fulfill({
      json: {
        displayName: "On the wiki",
        appId: APP,
        firstDate: formatDay(TODAY - 7),
        lastDate: formatDay(TODAY - 1),
        linkExpireTime: fetchedAt,
        deliveryData: { groups },
        incidents: [],
      },
    }),
  );
  await shared.goto(`${console.url}embed#token`);
  await shared
    .getByText(
      "Sums are computed from upstream percentages, which may be rounded. 2 entries without figures are excluded.",
    )
    .waitFor();
});
