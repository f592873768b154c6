import { RateLimiter } from "../../auth/rate-limiter.js";
import { MAX_LINK_REQUESTS_PER_MINUTE } from "../../limits/data-limits.js";
import type { Store } from "../../store/store.js";
import { type Console, openConsole } from "../console/open-console.js";
import { type OpenParts, openTogether } from "../open-parts.js";
import { openBackupRoute } from "../operators/backup-route.js";
import { mirrorRoutes } from "../operators/mirror-routes.js";
import { watchStore } from "../operators/store-metrics.js";
import type { RunningService, ServerParts } from "../server-parts.js";
import { implementationOf } from "./handlers.js";
import { openMessagingDataParts } from "./messaging-data-parts.js";
import { sharedViewRoute } from "./shared-view-route.js";
import { startJobs } from "./start-jobs.js";

/** The messaging-data service with its store and rollups. */
export interface MessagingData extends RunningService {
  /** The web console, if this process serves it. */
  readonly console: Console | undefined;
  readonly store: Store;
  /**
   * Waits until listed days are rolled up, expired days are removed and incidents are evaluated, but not longer than
   * `withinMs`. Retries pending work immediately, because the clock may have been set.
   */
  readonly settled: (withinMs: number) => Promise<void>;
}

/**
 * Opens the store, and starts its background jobs.
 *
 * @throws StoreOpenError if the data directory cannot be used; ConfigError if a project's stored data has another
 * source.
 */
export const openMessagingData = (parts: ServerParts): Promise<MessagingData> =>
  openTogether((open) => start(open, parts));

async function start(open: OpenParts, parts: ServerParts): Promise<MessagingData> {
  const data = await openMessagingDataParts(open, parts);
  const { store, mirrors, links, views, lastListedDay, aggregate, incidents } = data;
  watchStore(parts.metrics.registry, store);
  const settled = startJobs(open, data, parts);
  const console = await openConsole(parts);
  const limiter = new RateLimiter(MAX_LINK_REQUESTS_PER_MINUTE, parts.clock);
  const { registry, dayClock: clock } = parts;
  const shared = { links, views, registry, clock, limiter, lastListedDay, aggregate, incidents };
  return {
    implementation: implementationOf(data, parts),
    plainRoutes: console === undefined ? [] : [...console.routes, sharedViewRoute(shared)],
    adminRoutes: [await openBackupRoute(parts, store), ...mirrorRoutes(mirrors)],
    console,
    store,
    settled,
    ready: () => store.check(),
    close: (graceMs) => open.close(graceMs),
  };
}
