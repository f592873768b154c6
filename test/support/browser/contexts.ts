import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { PATIENCE_MS } from "../poll.js";

export type ContextOptions = Pick<
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

const DEFAULTS: ContextOptions = {
  viewport: { width: 1280, height: 900 },
  colorScheme: "light",
  locale: "en-US",
  timezoneId: "Europe/Berlin",
};

declare global {
  /** The text that a page copied last. */
  var textCopied: string | undefined;
}

/** Runs in the page. Shifts the page's time of day by some milliseconds. */
function moveDate(offset: number): void {
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args) =>
      args.length === 0 ? new RealDate(RealDate.now() + offset) : Reflect.construct(target, args),
    get: (target, key) => (key === "now" ? () => RealDate.now() + offset : Reflect.get(target, key)),
  });
}

/** Runs in the page. Stores the text that the page copies. */
function noteCopies(): void {
  // Only pages with a secure origin have a clipboard.
  if (!("clipboard" in navigator)) return;
  const { clipboard } = navigator;
  const write = clipboard.writeText.bind(clipboard);
  clipboard.writeText = async (text) => {
    await write(text);
    globalThis.textCopied = text;
  };
}

/** Opens a browser context with this process's date. */
export async function openContext(browser: Browser, options: ContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ ...DEFAULTS, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(noteCopies);
  const page = await context.newPage();
  // The browser has the real date, other than this process (`today.ts`, `scripts/test-anywhere.mjs`).
  await context.addInitScript(moveDate, Date.now() - (await page.evaluate(() => Date.now())));
  await page.close();
  return context;
}

/** A context for one test. */
export interface TestContext {
  readonly context: BrowserContext;
  /** Ends the test's use of the context. */
  release(): Promise<void>;
}

interface FreeContext {
  readonly context: BrowserContext;
  /** Keeps the renderer process running between tests. */
  readonly keeper: Page;
}

/**
 * Browser contexts that several tests use one after another. All pages of a context share a renderer process, which has
 * already run the console's code: they load in three quarters of the processor time.
 */
export class SharedContexts {
  readonly #browser: Browser;
  /** Contexts that no test uses, by their options. */
  readonly #free = new Map<string, FreeContext[]>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Returns a context that no other test uses, without stored data. */
  async take(options: ContextOptions = {}): Promise<TestContext> {
    const key = JSON.stringify(options);
    const free = this.#free.get(key) ?? [];
    this.#free.set(key, free);
    const { context, keeper } = free.pop() ?? (await this.#open(options));
    const release = async (): Promise<void> => {
      await Promise.all(context.pages().map((page) => page !== keeper && page.close()));
      const session = await context.newCDPSession(keeper);
      await session.send("Storage.clearDataForOrigin", { origin: "*", storageTypes: "all" });
      await session.detach();
      free.push({ context, keeper });
    };
    return { context, release };
  }

  async #open(options: ContextOptions): Promise<FreeContext> {
    const context = await openContext(this.#browser, options);
    const keeper = await context.newPage();
    // Pages of other ports are of the same site, so that they get the same process, but cannot read its data.
    await keeper.route("**", (route) => route.fulfill({ contentType: "text/html", body: "" }));
    await keeper.goto("http://127.0.0.1/");
    return { context, keeper };
  }
}

/** Opens a context for one test, which closes it. */
export async function ownContext(browser: Browser, options: ContextOptions = {}): Promise<TestContext> {
  const context = await openContext(browser, options);
  return { context, release: () => context.close() };
}
