import type { Page, Route } from "playwright-core";
import { expect } from "vitest";
import { formatDay, startOfDay } from "../../src/model/day.js";
import { chooseDays, keyFigure, type PageOptions, test as serving } from "../support/browser/console.js";
import { signIn } from "../support/browser/sign-in.js";
import { untilSettled } from "../support/browser/watched-page.js";
import { importEvents } from "../support/data/import.js";
import { poll } from "../support/poll.js";
import {
  ANDROID_APP,
  BASE_CONFIG,
  IOS_APP,
  OTHER_PROJECT,
  PROJECT,
  VIEWER,
} from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

const TOKYO = { timezoneId: "Asia/Tokyo" };
let page: Page;

serving.override("config", {
  ...BASE_CONFIG,
  access: [...BASE_CONFIG.access, { principal: VIEWER, projects: [OTHER_PROJECT.id], role: "viewer" }],
});
serving.override("traffic", { days: 10, messages: 1000 });
serving.override("checksProblems", false);
const test = serving.extend(
  "open",
  ({ console, viewer }) =>
    async (view: string, options: PageOptions = {}) => {
      page = await console.signedIn(viewer, view, { ...TOKYO, ...options });
    },
);

const figures = () => keyFigure(page, "Accepted messages");

/** The figure, after it has loaded. */
const loadedFigure = () =>
  poll(
    () => figures().textContent(),
    (text) => text !== "–",
  );

test("a project without entries shows when the next day is listed, in the viewer's time zone", async ({
  open,
  problems,
}) => {
  await open(`?project=${OTHER_PROJECT.id}`);
  await page.getByRole("heading", { name: "No entries yet" }).waitFor();
  const next = new Intl.DateTimeFormat("en-US", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: TOKYO.timezoneId,
  });
  const instant = next.format(startOfDay(TODAY + 1));
  await page
    .getByText(`Each day is listed after it ends. The next one will be listed on ${instant}, your time.`)
    .waitFor();
  expect(problems).toEqual([]);
});

test("an unknown app in a link is reported as unknown, with a link to all apps", async ({ open }) => {
  await open(`?project=${PROJECT.id}&app=nothing-yet`);
  await page.getByRole("heading", { name: "The project has no app nothing-yet" }).waitFor();
  await page.getByRole("link", { name: "Show all apps" }).click();
  await figures().waitFor();
});

test("a busy service is called busy, in a small panel", async ({ open }) => {
  await open(`?project=${PROJECT.id}`);
  await figures().waitFor();
  // Otherwise, a part without figures would show its own error.
  await untilSettled(page);
  await page.route("**/deliveryData:aggregate*", (route) =>
    route.fulfill({
      status: 503,
      json: { error: { code: 503, message: "too many calls", status: "UNAVAILABLE", details: [] } },
    }),
  );
  await chooseDays(page, "7 days");
  const banner = page.getByRole("status").filter({ hasText: "may be out of date" });
  await banner.getByText("the service responded with HTTP 503").waitFor();
  await page.reload();
  const panel = page.getByRole("alert").filter({ hasText: "The service is not available (HTTP 503)" });
  await panel.waitFor();
  expect((await panel.boundingBox())?.height).toBeLessThan(300);
});

test("days without entries show a link to days with entries", async ({ open, problems }) => {
  await open(`?project=${PROJECT.id}&from=2020-01-01&to=2020-01-07`);
  await page.getByRole("heading", { name: "No entries in this view" }).waitFor();
  await page.getByRole("link", { name: /^Show all days with entries/ }).click();
  await figures().waitFor();
  expect(problems).toEqual([]);
});

test("labels without entries show a link to all labels", async ({ open }) => {
  await open(`?project=${PROJECT.id}&label=nobody-uses-it`);
  await page.getByRole("link", { name: "Show all labels" }).click();
  await figures().waitFor();
});

test("if one service fails, only the parts that need it show an error, with a retry button", async ({
  server,
  open,
}) => {
  await open(`?project=${PROJECT.id}`);
  await figures().waitFor();
  await page.route(`${server.integrityUrl}/**`, (route) => route.abort("connectionrefused"));
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "The service cannot be reached" }).waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await figures().waitFor();
  await page.getByRole("link", { name: "Settings" }).click();
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.unroute(`${server.integrityUrl}/**`);
  const shown = page.getByRole("rowheader", { name: IOS_APP }).waitFor();
  // The page also retries automatically, which may remove the button first.
  await Promise.race([again.click().catch(() => shown), shown]);
  await shown;
});

test("a server error is shown with its request id", async ({ open }) => {
  await open(`?project=${PROJECT.id}&tab=integrity`);
  await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
  await page.route("**/deliveryData:aggregate*", (route) =>
    route.fulfill({
      status: 500,
      headers: { "x-request-id": "abc-1", "access-control-expose-headers": "x-request-id" },
      json: { error: { code: 500, message: "an unexpected error", status: "INTERNAL", details: [] } },
    }),
  );
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { name: "The service failed" }).first().waitFor();
  await page.getByText("(request abc-1)").first().waitFor();
});

test("the page shows a lost connection, keeps its figures, and resumes automatically", async ({ open }) => {
  await open(`?project=${PROJECT.id}`, { hasOwnContext: true });
  const shown = await loadedFigure();
  await page.context().setOffline(true);
  await page.getByText(/^You are offline/).waitFor();
  expect(await figures().textContent()).toBe(shown);
  await chooseDays(page, "7 days");
  await page.context().setOffline(false);
  await page.getByText(/^You are offline/).waitFor({ state: "detached" });
  await poll(async () => (await figures().textContent()) !== shown);
});

test("figures that cannot be refreshed stay visible below a banner", async ({ open }) => {
  await open(`?project=${PROJECT.id}`, { hasOwnContext: true });
  const shown = await loadedFigure();
  await page.route("**/v1beta1/**", (route) => route.abort("connectionrefused"));
  // The viewer returns to the page when its data is stale.
  await page.clock.setFixedTime(Date.now() + 120_000);
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  const banner = page.getByRole("status").filter({ hasText: "may be out of date" });
  await banner.waitFor();
  expect(await figures().textContent()).toBe(shown);
  await page.unroute("**/v1beta1/**");
  const recovered = banner.waitFor({ state: "detached" });
  // The page also retries automatically, which may remove the button first.
  await Promise.race([
    banner
      .getByRole("button", { name: "Try again" })
      .click()
      .catch(() => recovered),
    recovered,
  ]);
  await recovered;
  expect(await figures().textContent()).toBe(shown);
});

test("figures disappear if the viewer loses access", async ({ open }) => {
  await open(`?project=${PROJECT.id}`, { hasOwnContext: true });
  await figures().waitFor();
  await page.route("**/v1beta1/**", (route) =>
    route.fulfill({
      status: 403,
      json: { error: { code: 403, message: "no role", status: "PERMISSION_DENIED", details: [] } },
    }),
  );
  await page.clock.setFixedTime(Date.now() + 120_000);
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await page.getByRole("heading", { name: "You do not have access" }).first().waitFor();
  expect(await figures().count()).toBe(0);
});

test("in an outage, figures stay visible and dimmed below a banner, and newly chosen figures load automatically afterwards", async ({
  open,
}) => {
  await open(`?project=${PROJECT.id}`);
  const shown = await loadedFigure();
  await page.route("**/v1beta1/**", (route) => route.abort("connectionrefused"));
  await chooseDays(page, "7 days");
  const banner = page.getByRole("status").filter({ hasText: "may be out of date" });
  await banner.waitFor();
  const kept = page.locator("main [aria-busy=true]").filter({ has: figures() });
  expect(await kept.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).opacity)).toBe(
    "0.6",
  );
  expect(await figures().textContent()).toBe(shown);
  // A note names the days behind the figures.
  await page
    .getByRole("status")
    .getByText(/^Still showing .+\. Loading .+ …$/)
    .waitFor();
  expect(await page.getByRole("alert").filter({ hasText: /\w/ }).count()).toBe(0);
  await page.unroute("**/v1beta1/**");
  await banner.waitFor({ state: "detached" });
  await poll(async () => (await figures().textContent()) !== shown);
});

/** Opens the console with requests for all part files intercepted, except the overview. */
const withoutParts = serving.extend(
  "openWithout",
  ({ console, viewer, newPage }) =>
    async (respond: (route: Route) => Promise<void>): Promise<void> => {
      page = await newPage();
      await page.route(/assets\/(labels|entries|compare)-/, respond);
      await page.goto(`${console.url}?project=${PROJECT.id}`);
      await signIn(page, viewer);
      await loadedFigure();
    },
);

withoutParts(
  "a part that could not load while the server was down can be opened later",
  async ({ openWithout }) => {
    await openWithout((route) => route.abort("connectionrefused"));
    await page.route("**/console/config.json", (route) => route.abort("connectionrefused"));
    await page.getByRole("link", { name: "Labels" }).click();
    await page.getByRole("heading", { name: "The service cannot be reached" }).waitFor();
    await page.unrouteAll();
    // The browser may cache the failed download.
    const again = page.getByRole("main").getByRole("button", { name: "Try again" });
    const table = page.getByRole("table", { name: "Labels" });
    await again.or(table).first().click();
    await page.getByRole("heading", { name: "The console was updated" }).or(table).first().waitFor();
    const reload = page.getByRole("main").getByRole("button", { name: "Reload" });
    if ((await table.count()) === 0) await reload.click();
    await table.waitFor();
  },
);

withoutParts(
  "a part with a deleted file opens on the next attempt after an upgrade",
  async ({ openWithout }) => {
    await openWithout((route) => route.fulfill({ status: 404 }));
    await page.getByRole("link", { name: "Entries" }).click();
    await page.getByRole("heading", { name: "The console was updated" }).waitFor();
    await page.unrouteAll();
    await page.getByRole("main").getByRole("button", { name: "Reload" }).click();
    await page.getByRole("table", { name: "Entries" }).waitFor();
  },
);

test("parts of the page that were loaded in advance open while the server is down", async ({ open }) => {
  const downloaded = ["labels", "entries", "compare", "integrity"];
  const arrived: string[] = [];
  await open(`?project=${PROJECT.id}`);
  await poll(
    async () => {
      const names = await page.evaluate(() =>
        performance.getEntriesByType("resource").map(({ name }) => name),
      );
      arrived.splice(0, arrived.length, ...names);
      return arrived;
    },
    (names) => downloaded.every((part) => names.some((name) => name.includes(`/assets/${part}-`))),
  );
  await page.route("**/console/**", (route) => route.abort("connectionrefused"));
  await page.getByRole("link", { name: "Labels" }).click();
  await page.getByRole("table", { name: "Labels" }).waitFor();
});

test("a new label's view shows its first day", async ({ server, editor, truth, open }) => {
  const eventTime = `${formatDay(TODAY - 2)}T20:00:00Z`;
  const message = { appId: ANDROID_APP, analyticsLabel: "fresh", messageId: "fresh-1", eventTime };
  const events = [{ ...message, eventType: "ACCEPTED", usageReportingOptIn: true }];
  await importEvents(server, editor, events, { appId: ANDROID_APP, entries: truth.length + 1 });
  const day = new Date(eventTime).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" });
  const first = `The first messages with the chosen labels are from ${day}.`;
  await open(`?project=${PROJECT.id}&app=${ANDROID_APP}&label=fresh&days=7`);
  await page.getByText(first).waitFor();
  await page
    .getByText(/^new since /)
    .first()
    .waitFor();
  await page.goto(page.url().replace("&label=fresh", ""));
  await loadedFigure();
  expect(await page.getByText(first).count()).toBe(0);
});
