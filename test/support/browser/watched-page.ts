import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { PATIENCE_MS } from "../poll.js";

/** Options of a page of the console. */
export type PageOptions = Pick<
  BrowserContextOptions,
  | "viewport"
  | "colorScheme"
  | "timezoneId"
  | "locale"
  | "reducedMotion"
  | "forcedColors"
  | "permissions"
  | "acceptDownloads"
  | "deviceScaleFactor"
  | "hasTouch"
>;

const DEFAULTS: PageOptions = {
  viewport: { width: 1280, height: 900 },
  colorScheme: "light",
  locale: "en-US",
  timezoneId: "Europe/Berlin",
};

declare global {
  /** Pages call this to report a policy violation. */
  var reportPolicyViolation: (violation: string) => void;
}

/**
 * Runs in the page. Shifts the page's date by some days, like `scripts/test-anywhere.mjs` shifts the date of this
 * process.
 */
function moveDate(days: number): void {
  const offset = days * 86_400_000;
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args) =>
      args.length === 0 ? new RealDate(RealDate.now() + offset) : Reflect.construct(target, args),
    get: (target, key) => (key === "now" ? () => RealDate.now() + offset : Reflect.get(target, key)),
  });
}

/**
 * Opens a blank page in its own browser context.
 *
 * @param problems receives its console errors, uncaught exceptions, violations of the Content-Security-Policy, failed
 *   requests, and error responses.
 */
export async function openWatchedPage(
  browser: Browser,
  problems: string[],
  options: PageOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ ...DEFAULTS, ...options });
  const movedDays = Number(process.env.WAYBILL_TEST_MOVED_DAYS ?? 0);
  if (movedDays !== 0) await context.addInitScript(moveDate, movedDays);
  await context.exposeFunction("reportPolicyViolation", (violation: string) => {
    problems.push(`policy: ${violation}`);
  });
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      reportPolicyViolation([effectiveDirective, blockedURI, sample].join(" ")),
    );
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.stack ?? error.message}`));
  page.on("requestfailed", (request) => {
    const { errorText = "failed" } = request.failure() ?? {};
    // The page cancels requests that it no longer needs.
    if (errorText !== "net::ERR_ABORTED") problems.push(`request: ${request.url()} ${errorText}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`response: ${response.url()} ${response.status()}`);
  });
  return page;
}
