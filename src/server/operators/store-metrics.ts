import { Gauge, type Registry } from "prom-client";
import type { AppFigures, LastDayFigures } from "../../messaging-data/jobs/last-day.js";
import { startOfDay } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import type { Store, StoreFigures } from "../../store/store.js";

/** Minimum interval between reads of the store's figures, in milliseconds. */
const MIN_INTERVAL = 5_000;
/** Minimum interval between quorum checks, in milliseconds. Such checks are cheap. */
const QUORUM_INTERVAL = 1_000;

/** Gauges with a single value each, in documented order. */
const GAUGES: readonly [name: string, help: string, read: (figures: StoreFigures) => number][] = [
  [
    "waybill_store_messages",
    "Messages with stored states, once for each day with events.",
    ({ messages }) => messages,
  ],
  [
    "waybill_store_waiting_events",
    "Stored events that are not rolled up yet.",
    ({ waitingEvents }) => waitingEvents,
  ],
  [
    "waybill_store_waiting_days",
    "Days of projects with events that are not rolled up yet, listed or not.",
    ({ waitingDays }) => waitingDays,
  ],
  [
    "waybill_store_waiting_since_timestamp_seconds",
    "Time at which the oldest event was stored that is not rolled up yet, in seconds since the Unix epoch; 0 without one.",
    ({ waitingSince = 0 }) => waitingSince / 1000,
  ],
  [
    "waybill_store_sealed_days",
    "Project days that no longer accept events because of their age.",
    ({ sealedDays }) => sealedDays,
  ],
];

/**
 * Exports a store's figures as metrics. While the store cannot be reached, the figures are omitted, the metrics show
 * no quorum for imports, and `/readyz` reports the problem.
 *
 * @param store store to measure. All gauges share one read of the figures, at most every five seconds.
 */
export function watchStore(registry: Registry, store: Pick<Store, "figures" | "hasImportQuorum">): void {
  const read = atMostEvery(MIN_INTERVAL, () => store.figures().catch(() => undefined));
  const hasQuorum = atMostEvery(QUORUM_INTERVAL, () => store.hasImportQuorum().catch(() => false));
  new Gauge({
    name: "waybill_store_import_quorum",
    help: "1 if enough store servers are available for imports, otherwise 0.",
    registers: [registry],
    async collect() {
      this.set((await hasQuorum()) ? 1 : 0);
    },
  });
  new Gauge({
    name: "waybill_store_bytes",
    help: "Size of the store on disk, in bytes: data in use, reusable free space, and the log.",
    labelNames: ["kind"] as const,
    registers: [registry],
    async collect() {
      const known = await read();
      this.reset();
      for (const [kind, bytes] of Object.entries(known?.bytes ?? {})) this.set({ kind }, bytes);
    },
  });
  for (const [name, help, of] of GAUGES) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const known = await read();
        if (known === undefined) this.remove();
        else this.set(of(known));
      },
    });
  }
}

/** Wraps a function so that its result is reused for some milliseconds. */
function atMostEvery<T>(interval: number, read: () => Promise<T>): () => Promise<T> {
  let latest: { readonly result: Promise<T>; readonly until: number } | undefined;
  return () => {
    const now = performance.now();
    if (latest === undefined || latest.until <= now) latest = { result: read(), until: now + interval };
    return latest.result;
  };
}

/** Gauges with a value for each project and app. */
const LAST_DAY_GAUGES: readonly [name: string, help: string, read: (app: AppFigures) => number][] = [
  [
    "waybill_last_day_accepted_messages",
    "Messages accepted on the last listed day, by project number and app; without an app, the messages of all apps that have no series of their own.",
    ({ accepted }) => accepted,
  ],
  [
    "waybill_last_day_delivered_messages",
    "Messages delivered on the last listed day, by project number and app; without an app, the messages of all apps that have no series of their own.",
    ({ delivered }) => delivered,
  ],
];

/**
 * Exports the figures of the last listed day.
 *
 * @param isRegistered returns false for removed projects, which have no series.
 */
export function watchLastDay(
  registry: Registry,
  figures: LastDayFigures,
  isRegistered: (project: ProjectNumber) => boolean,
): void {
  new Gauge({
    name: "waybill_last_day_timestamp_seconds",
    help: "Start of the last listed day, as of the last reading of a project's delivery data, in seconds since the Unix epoch.",
    labelNames: ["project"] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [project, day] of figures.days)
        if (isRegistered(project)) this.set({ project }, startOfDay(day) / 1000);
    },
  });
  for (const [name, help, read] of LAST_DAY_GAUGES) {
    new Gauge({
      name,
      help,
      labelNames: ["project", "app"] as const,
      registers: [registry],
      collect() {
        this.reset();
        for (const app of figures.byApp)
          if (isRegistered(app.project)) this.set({ project: app.project, app: app.app }, read(app));
      },
    });
  }
}
