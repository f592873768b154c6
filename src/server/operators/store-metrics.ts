import { Gauge, type Registry } from "prom-client";
import type { StoreFigures } from "../../store/store-figures.js";

/** Minimum time between two readings of the figures, in milliseconds. */
const MIN_INTERVAL = 5_000;

/** The gauges of one figure each, in the order of the documentation. */
const GAUGES: readonly [name: string, help: string, read: (figures: StoreFigures) => number][] = [
  ["waybill_store_messages", "States of messages, one for each message and day.", ({ messages }) => messages],
  [
    "waybill_store_waiting_events",
    "Stored events that are not merged into states of messages yet.",
    ({ waitingEvents }) => waitingEvents,
  ],
  [
    "waybill_store_waiting_days",
    "Days of projects with events that are not merged yet, listed or not.",
    ({ waitingDays }) => waitingDays,
  ],
  [
    "waybill_store_waiting_since_timestamp_seconds",
    "When the oldest event was stored that is not merged yet, in seconds since the Unix epoch; 0 without one.",
    ({ waitingSince = 0 }) => waitingSince / 1000,
  ],
  [
    "waybill_store_sealed_days",
    "Days of projects that had events and take no more because of their age.",
    ({ sealedDays }) => sealedDays,
  ],
];

/**
 * Shows the figures of a store. While the store cannot be reached, which `/readyz` reports, they are missing.
 *
 * @param figures reads them; called once for all gauges, and at most every five seconds.
 */
export function watchStore(registry: Registry, figures: () => Promise<StoreFigures>): void {
  let latest: { readonly figures: Promise<StoreFigures | undefined>; readonly until: number } | undefined;
  const read = (): Promise<StoreFigures | undefined> => {
    const now = performance.now();
    if (latest === undefined || latest.until <= now) {
      latest = { figures: figures().catch(() => undefined), until: now + MIN_INTERVAL };
    }
    return latest.figures;
  };
  new Gauge({
    name: "waybill_store_bytes",
    help: "Bytes of the store on disk: data in use, free space that is used again, and the log.",
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
