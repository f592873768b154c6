import type { BrowserContext, Page, Request } from "playwright-core";
import { poll } from "../poll.js";

declare global {
  /** Pages call this to report a policy violation. */
  var reportPolicyViolation: (violation: string) => void;
}

/** Requests of each page that have no complete response yet. */
const openRequests = new WeakMap<Page, Set<Request>>();

/**
 * Waits until the page has copied a text to the clipboard. The clipboard may contain the text of another test, because
 * all pages of the browser share it.
 */
export async function copiedText(page: Page): Promise<string> {
  return String(await poll(() => page.evaluate(() => globalThis.textCopied)));
}

/**
 * Waits until the page has rendered the responses to all its requests. Playwright's `networkidle` is no replacement: it
 * only waits until the page was idle once, such as before the sign-in.
 */
export async function untilSettled(page: Page): Promise<void> {
  const urlsOfOpen = (): string[] => [...(openRequests.get(page) ?? [])].map((request) => request.url());
  await poll(async () => {
    const before = urlsOfOpen();
    if (before.length === 0) await untilDrawn(page);
    return [...before, ...urlsOfOpen()];
  }, []);
}

/** Waits until the browser has drawn the page's changes so far. */
export const untilDrawn = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      }),
  );

/**
 * Opens a blank page.
 *
 * @param problems receives its console errors, uncaught exceptions, violations of the Content-Security-Policy, failed
 *   requests, and error responses.
 */
export async function openWatchedPage(context: BrowserContext, problems: string[]): Promise<Page> {
  const page = await context.newPage();
  await page.exposeFunction("reportPolicyViolation", (violation: string) => {
    problems.push(`policy: ${violation}`);
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      reportPolicyViolation([effectiveDirective, blockedURI, sample].join(" ")),
    );
  });
  const open = new Set<Request>();
  openRequests.set(page, open);
  page.on("request", (request) => {
    // A new document replaces the page, and all its requests.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    open.add(request);
  });
  const close = (request: Request): void => void open.delete(request);
  page.on("requestfinished", close);
  page.on("requestfailed", close);
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
