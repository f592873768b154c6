import type { Locator, Page } from "playwright-core";
import { DEFAULT_SCOPE_BASE } from "../../src/auth/scopes.js";
import { openLocalIssuer } from "../../src/auth/tokens/local-issuer.js";
import { FileKeyStore } from "../../src/control/file/file-key-store.js";
import { openChromium } from "./chromium.js";
import type { Entry } from "./delivery-data.js";
import { importRecentTraffic, type RecentTraffic } from "./recent-traffic.js";
import { openWatchedPage, type PageOptions, type WatchedPage } from "./watched-page.js";
import { BASE_CONFIG, EDITOR, type Server, startServer, temporaryDirectory } from "./waybill.js";

/** Options of {@link openConsole}. */
export interface ConsoleOptions {
  readonly config?: object;
  /** Further flags of `waybill serve`. */
  readonly args?: readonly string[];
  /** Traffic of the project; `false` for none. */
  readonly traffic?: RecentTraffic | false;
}

/** A server with traffic, and a browser for its console. */
export interface OpenConsole {
  readonly server: Server;
  /** Address of the page without a view; ends in `/console/`. */
  readonly url: string;
  /** Entries that a correct service lists for the traffic: by app, then newest day first, then by label. */
  readonly truth: readonly Entry[];
  /** Opens a blank page in its own context. */
  newPage(options?: PageOptions): Promise<WatchedPage>;
  /** Opens a view, given as query of the address, and signs in. */
  signedIn(token: string, view?: string, options?: PageOptions): Promise<WatchedPage>;
  /** A token of the local issuer that expired an hour ago. */
  expiredToken(principal: string): Promise<string>;
  /** Stops the browser and the server, and removes its data. */
  close(): Promise<void>;
}

/**
 * Starts `waybill serve` with traffic that ends yesterday, and a browser. This takes seconds: call it once in
 * each test file, in `beforeAll`.
 */
export async function openConsole({
  config = BASE_CONFIG,
  args = [],
  traffic = {},
}: ConsoleOptions = {}): Promise<OpenConsole> {
  const directory = await temporaryDirectory();
  const server = await startServer(directory.path, config, args);
  const truth =
    traffic === false ? [] : await importRecentTraffic(server, await server.token(EDITOR), traffic);
  const browser = await openChromium();
  const url = `${server.messagingDataUrl}/console/`;
  const newPage = (options?: PageOptions): Promise<WatchedPage> => openWatchedPage(browser, options);
  return {
    server,
    url,
    truth,
    newPage,
    signedIn: async (token, view = "", options) => {
      const watched = await newPage(options);
      await watched.page.goto(`${url}${view}`);
      await signIn(watched.page, token);
      return watched;
    },
    expiredToken: async (principal) =>
      (await openLocalIssuer(new FileKeyStore(server.dataDir))).sign({
        principal,
        scopes: [`${DEFAULT_SCOPE_BASE}/platform`],
        ttlSeconds: -3_600,
      }),
    close: async () => {
      await browser.close();
      await server.stop();
      await directory.remove();
    },
  };
}

/** Signs in on the sign-in page or dialog. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Access token", { exact: true }).fill(token);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** The figure of the overview with a title such as `Accepted messages`. */
export const keyFigure = (page: Page, title: string): Locator =>
  page
    .getByRole("region", { name: "Key figures" })
    .getByRole("term")
    .getByText(title, { exact: true })
    .locator("xpath=following-sibling::dd[1]");
