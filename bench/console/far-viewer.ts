import type { Browser } from "playwright-core";
import type { WaybillServer } from "../support/waybill-server.js";
import { LARGE_APP } from "./many-entries.js";

/** Emulated delay of each request, in milliseconds. */
const LATENCY_MS = 400;
/** Emulated bandwidth, in bytes per second. */
const BYTES_PER_SECOND = 200_000;

/** Durations during a visit over a slow connection, in milliseconds. */
export interface FarVisit {
  /** Time from sign-in to the first figures. */
  readonly toFigures: number;
  /** Duration of a single request of the page. */
  readonly request: number;
}

/** Visits the console for the first time over a slow connection, and opens an overview. */
export async function visitFromAfar(browser: Browser, server: WaybillServer): Promise<FarVisit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: BYTES_PER_SECOND,
      uploadThroughput: BYTES_PER_SECOND,
    });
    await page.goto(`${server.messagingDataUrl}/console/?app=${LARGE_APP}&tab=overview`);
    await page.getByLabel("Access token", { exact: true }).fill(server.token);
    await page.waitForLoadState("networkidle");
    const start = performance.now();
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page
      .getByText("Accepted messages")
      .locator("xpath=following-sibling::dd[1]")
      .getByText(/\d/)
      .waitFor();
    const toFigures = performance.now() - start;
    const request = await page.evaluate<number>(`
      (async () => {
        const start = performance.now();
        await (await fetch("config.json", { cache: "no-store" })).text();
        return performance.now() - start;
      })()
    `);
    return { toFigures, request };
  } finally {
    await context.close();
  }
}
