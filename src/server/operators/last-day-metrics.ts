import { Gauge, type Registry } from "prom-client";
import type { AppFigures, LastDayFigures } from "../../messaging-data/jobs/last-day.js";
import { startOfDay } from "../../model/day.js";

/** The gauges of messages by project and app. */
const GAUGES: readonly [name: string, help: string, read: (app: AppFigures) => number][] = [
  [
    "waybill_last_day_accepted_messages",
    "Messages accepted on the last listed day, by project number and app; without an app, those of apps without a series of their own.",
    ({ accepted }) => accepted,
  ],
  [
    "waybill_last_day_delivered_messages",
    "Messages delivered on the last listed day, by project number and app; without an app, those of apps without a series of their own.",
    ({ delivered }) => delivered,
  ],
];

/** Shows the messages of the last listed day. A scrape reads no store. */
export function watchLastDay(registry: Registry, figures: LastDayFigures): void {
  new Gauge({
    name: "waybill_last_day_timestamp_seconds",
    help: "Start of the last listed day, as of the last reading of a project's delivery data, in seconds since the Unix epoch.",
    labelNames: ["project"] as const,
    registers: [registry],
    collect() {
      for (const [project, day] of figures.days) this.set({ project }, startOfDay(day) / 1000);
    },
  });
  for (const [name, help, read] of GAUGES) {
    new Gauge({
      name,
      help,
      labelNames: ["project", "app"] as const,
      registers: [registry],
      collect() {
        this.reset();
        for (const app of figures.byApp) this.set({ project: app.project, app: app.app }, read(app));
      },
    });
  }
}
