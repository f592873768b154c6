import { existsSync } from "node:fs";
import { type BrowserServer, chromium } from "playwright-core";
import { PATIENCE_MS } from "../poll.js";

/**
 * Chromium from a Debian package, so that tests download nothing. The headless build needs only three fifths of the
 * processor time.
 */
const EXECUTABLES = ["/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium"];

/**
 * Flags that disable the display, the sandbox, and requests to other servers. Pages of the same site and browser context
 * share a process. Pages are too short-lived for the optimizing compilers of JavaScript.
 */
const FLAGS = [
  "--renderer-process-limit=1",
  "--js-flags=--no-opt --no-maglev",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts a browser with a temporary profile, for any number of clients. The caller must close it.
 *
 * @param flags further flags.
 */
export function startChromium(flags: readonly string[] = []): Promise<BrowserServer> {
  // Chromium does not use `faketime`, with which it would busy-wait. Pages shift their date with `moveDate` instead.
  const env = { ...process.env, LD_PRELOAD: "" };
  return chromium.launchServer({
    executablePath: EXECUTABLES.find(existsSync) ?? "chromium",
    headless: true,
    args: [...FLAGS, ...flags],
    env,
    timeout: PATIENCE_MS,
  });
}
