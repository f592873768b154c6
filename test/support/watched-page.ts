import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/** What a page of the console is opened with. */
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

/** A page in a context of its own, of which everything that goes wrong is kept. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * What went wrong since the page was opened or {@link forgetProblems} was called: errors of the console, uncaught
   * exceptions, violations of the Content-Security-Policy, and requests that failed or were answered with an error.
   */
  problems(): readonly string[];
  /** To be called where something was meant to go wrong. */
  forgetProblems(): void;
  /** Closes the page with its context. */
  close(): Promise<void>;
}

const DEFAULTS: PageOptions = {
  viewport: { width: 1280, height: 900 },
  colorScheme: "light",
  locale: "en-US",
  timezoneId: "Europe/Berlin",
};

/** What pages call to tell of a violation. */
const REPORT = "reportPolicyViolation";

/** Opens a page that shows nothing yet. */
export async function openWatchedPage(browser: Browser, options: PageOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ ...DEFAULTS, ...options });
  const problems: string[] = [];
  await context.exposeFunction(REPORT, (violation: string) => {
    problems.push(`policy: ${violation}`);
  });
  // As text, since the functions of a test may have been changed for the test runner.
  await context.addInitScript(
    `addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      ${REPORT}([effectiveDirective, blockedURI, sample].join(" ")))`,
  );
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.stack ?? error.message}`));
  page.on("requestfailed", (request) => {
    const { errorText = "failed" } = request.failure() ?? {};
    // What the page itself gives up, because nobody waits for the answer any more.
    if (errorText !== "net::ERR_ABORTED") problems.push(`request: ${request.url()} ${errorText}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`answer: ${response.url()} ${response.status()}`);
  });
  return {
    page,
    context,
    problems: () => [...problems],
    forgetProblems: () => {
      problems.length = 0;
    },
    close: () => context.close(),
  };
}
