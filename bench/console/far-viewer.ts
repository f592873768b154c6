import type { Browser, CDPSession } from "playwright-core";
import type { WaybillServer } from "../support/waybill-server.js";
import { LARGE_APP } from "./many-entries.js";

/** Emulated delay of each request, in milliseconds. */
const LATENCY_MS = 400;
/** Emulated bandwidth, in bytes per second. */
const BYTES_PER_SECOND = 200_000;

/** Figures of a visit over a slow connection. Durations are in milliseconds. */
export interface FarVisit {
  /** Time from sign-in to the first figures. */
  readonly toFigures: number;
  /** Duration of a single request of the page. */
  readonly request: number;
  /** Transferred bytes of the page's files, with all parts. */
  readonly bytes: number;
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
    const bytes = countBytes(session, `${server.messagingDataUrl}/console/`);
    await page.goto(`${server.messagingDataUrl}/console/?app=${LARGE_APP}&tab=overview`);
    await page.getByLabel("Access token", { exact: true }).fill(server.token);
    // The page loads its other parts when it is idle.
    await page.waitForLoadState("networkidle");
    const start = performance.now();
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page
      .getByText("Accepted messages")
      .locator("xpath=following-sibling::dd[1]")
      .getByText(/\d/)
      .waitFor();
    const toFigures = performance.now() - start;
    const transferred = bytes();
    const request = await page.evaluate<number>(`
      (async () => {
        const start = performance.now();
        await (await fetch("config.json", { cache: "no-store" })).text();
        return performance.now() - start;
      })()
    `);
    return { toFigures, request, bytes: transferred };
  } finally {
    await context.close();
  }
}

/** Counts transferred bytes below a URL, with headers. @returns a function that returns the bytes so far. */
function countBytes(session: CDPSession, url: string): () => number {
  const files = new Set<string>();
  let bytes = 0;
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (request.url.startsWith(url)) files.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (files.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}
