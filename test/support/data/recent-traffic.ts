import type { Fault } from "../../../src/simulator/faults.js";
import { ANDROID_APP } from "../servers/project.js";
import type { Server } from "../servers/server.js";
import { ago } from "../today.js";
import type { Entry } from "./delivery-data.js";
import { importSimulation } from "./simulated-traffic.js";

/** Traffic on the days before today. */
export interface RecentTraffic {
  /** Apps of {@link PROJECT}, most popular first; one by default. */
  readonly apps?: readonly string[];
  /** Number of whole days, ending yesterday in Los Angeles; 28 by default. */
  readonly days?: number;
  /** Messages over all days and apps; 4,000 by default. */
  readonly messages?: number;
  /** Number of labels, in addition to unlabelled messages; 6 by default. */
  readonly labels?: number;
  readonly seed?: number;
  /** Incidents to simulate; none by default. */
  readonly faults?: readonly Fault[];
}

/** Large enough for a single request. A day that arrives in parts would be rolled up several times. */
const BATCH_BYTES = 60 * 1024 * 1024;

/**
 * Imports simulated traffic that ends yesterday, and waits until all of it is listed.
 * @returns the entries that a correct service lists: by app, then newest day first, then by label.
 */
export function importRecentTraffic(
  server: Server,
  token: string,
  { days = 28, ...traffic }: RecentTraffic = {},
): Promise<Entry[]> {
  const startDay = ago(days);
  const defaults = { apps: [ANDROID_APP], messages: 4_000, labels: 6, seed: 1 };
  const simulation = { ...defaults, ...traffic, startDay, days };
  return importSimulation(server, token, simulation, { batchBytes: BATCH_BYTES });
}
