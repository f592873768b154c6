import type { Browser } from "playwright-core";
import { inject } from "vitest";
import type { InstalledPackages } from "../installed-packages.js";
import type { SharedAddresses } from "./shared-servers-setup.js";

async function shared<Name extends keyof SharedAddresses>(name: Name): Promise<SharedAddresses[Name]> {
  const response = await fetch(`${inject("sharedServers")}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as SharedAddresses[Name];
}

/** Returns this run's PostgreSQL port. */
export const sharedPostgres = (): Promise<number> => shared("postgres");

/** Returns the URL of current ClickHouse, in one process. */
export const sharedChdb = (): Promise<string> => shared("chdb");

/**
 * Returns URLs of a cluster of Debian's ClickHouse, with two shards of two replicas each. Tests that stop servers start
 * their own cluster.
 */
export const sharedClickHouse = (): Promise<readonly string[]> => shared("clickHouse");

/** Connects to the browser of this run. Closing the connection closes its pages. */
export async function sharedChromium(): Promise<Browser> {
  // Loaded only when needed, because most specs have no browser.
  const { chromium } = await import("playwright-core");
  return chromium.connect(await shared("chromium"));
}

/** Returns this run's packages, installed from their tarballs. */
export const sharedPackages = (): Promise<InstalledPackages> => shared("packages");
