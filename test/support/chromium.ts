import { type Browser, chromium } from "playwright-core";

/** Debian's package; nothing is downloaded. */
const EXECUTABLE = "/usr/bin/chromium";

/** It asks nobody but the server under test, and runs where there is no display and no sandbox. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a browser with a profile of its own, which goes with it. Whoever starts it closes it. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE, headless: true, args: FLAGS });
}
