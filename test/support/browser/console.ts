import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { opening } from "../closing.js";
import { sharedChromium } from "../cluster/shared-servers.js";
import type { Entry } from "../data/delivery-data.js";
import { importRecentTraffic, type RecentTraffic } from "../data/recent-traffic.js";
import { need } from "../needs.js";
import { accessToken } from "../servers/access-token.js";
import { test as serving } from "../servers/fixtures.js";
import { type ContextOptions, ownContext, SharedContexts, type TestContext } from "./contexts.js";
import { signIn } from "./sign-in.js";
import { openWatchedPage } from "./watched-page.js";

need("chromium");

export interface PageOptions extends ContextOptions {
  /** True to open the page in a context of its own, for a test that changes the context, such as its clock. */
  readonly hasOwnContext?: boolean;
}

export interface Console {
  /** Address of the page without a view; ends in `/console/`. */
  readonly url: string;
  /** Opens a view, as the address's query, and signs in. */
  signedIn(token: string, view?: string, options?: PageOptions): Promise<Page>;
  /** A token of the local issuer that expired an hour ago. */
  expiredToken(principal: string): Promise<string>;
}

/** Tests of the console, with traffic that ends yesterday. */
export const test = serving
  /** Traffic of the project; `false` for none. */
  .extend("traffic", { scope: "file" }, {} as RecentTraffic | false)
  /** Entries that a correct service lists for the traffic: by app, then newest day first, then by label. */
  .extend(
    "truth",
    { scope: "file" },
    async ({ server, editor, traffic }): Promise<readonly Entry[]> =>
      traffic === false ? [] : importRecentTraffic(server, editor, traffic),
  )
  .extend("browser", { scope: "file" }, opening(sharedChromium))
  .extend("contexts", { scope: "file" }, ({ browser }) => new SharedContexts(browser))
  /** True if tests fail because of problems on their pages. */
  .extend("checksProblems", true as boolean)
  /** Problems on the test's pages. A test that causes some on purpose removes them. */
  .extend("problems", (): string[] => [])
  /** Opens a blank page, which is closed with the test. No other open page has the same context. */
  .extend("newPage", ({ browser, contexts, problems, checksProblems }, { onCleanup }) => {
    const contextsOfTest: TestContext[] = [];
    onCleanup(async () => {
      if (checksProblems) expect.soft(problems).toEqual([]);
      await Promise.all(contextsOfTest.map(({ release }) => release()));
    });
    return async ({ hasOwnContext = false, ...options }: PageOptions = {}): Promise<Page> => {
      const taken = await (hasOwnContext ? ownContext(browser, options) : contexts.take(options));
      contextsOfTest.push(taken);
      return openWatchedPage(taken.context, problems);
    };
  })
  /** The server's console, once the traffic is listed. */
  .extend("console", ({ server, newPage, truth: _listed }): Console => {
    const url = `${server.messagingDataUrl}/console/`;
    return {
      url,
      signedIn: async (token, view = "", options) => {
        const page = await newPage(options);
        await page.goto(`${url}${view}`);
        await signIn(page, token);
        return page;
      },
      expiredToken: (principal) => accessToken(server.dataDir, principal, { ttlSeconds: -3_600 }),
    };
  });

/**
 * Values of parameters in the page's URL; null for omitted ones. Read in the page, because `page.url()` may still be the
 * URL before an action.
 */
export const urlParameters = (page: Page, ...names: readonly string[]): Promise<(string | null)[]> =>
  page.evaluate((names) => {
    const parameters = new URLSearchParams(location.search);
    return names.map((name) => parameters.get(name));
  }, names);

/** Chooses an option of a select-only combobox. */
export async function chooseOption(combobox: Locator, option: string): Promise<void> {
  await combobox.click();
  await combobox.page().getByRole("option", { name: option, exact: true }).click();
}

/** The button that shows the chosen days, and opens their dialog. */
export const daysButton = (page: Page): Locator => page.getByRole("button", { name: /^Los Angeles days/ });

export async function openDays(page: Page): Promise<Locator> {
  await daysButton(page).click();
  const dialog = page.getByRole("dialog", { name: "Los Angeles days" });
  await dialog.waitFor();
  return dialog;
}

/** Chooses days by their name, such as `7 days`. */
export async function chooseDays(page: Page, name: string): Promise<void> {
  await (await openDays(page)).getByRole("button", { name, exact: true }).click();
}

/** Types dates such as `2026-11-24`, and closes the dialog. */
export async function typeDays(page: Page, first: string, last: string): Promise<void> {
  const dialog = await openDays(page);
  await dialog.getByLabel("From", { exact: true }).fill(first);
  await dialog.getByLabel("To", { exact: true }).fill(last);
  await page.keyboard.press("Escape");
}

/** Reads the first and last chosen day, such as `2026-11-24`. */
export async function readDays(page: Page): Promise<[first: string, last: string]> {
  const dialog = await openDays(page);
  const first = await dialog.getByLabel("From", { exact: true }).inputValue();
  const last = await dialog.getByLabel("To", { exact: true }).inputValue();
  await page.keyboard.press("Escape");
  return [first, last];
}

/** Clicks a button in a chart's menu, such as `Show as table`. */
export async function chooseOfChart(within: Page | Locator, chart: string, button: string): Promise<void> {
  await within.getByRole("button", { name: `Menu: ${chart}`, exact: true }).click();
  await within.getByRole("button", { name: new RegExp(`^${button}`) }).click();
}

/** The overview figure with a title such as `Accepted messages`. */
export const keyFigure = (page: Page, title: string): Locator =>
  page
    .getByRole("region", { name: "Key figures" })
    .getByRole("term")
    .getByText(title, { exact: true })
    .locator("xpath=following-sibling::dd[1]");
