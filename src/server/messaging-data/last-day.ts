import { listedDataJob } from "../../messaging-data/jobs/listed-data-job.js";
import { LastDayFigures } from "../../messaging-data/last-day/last-day-figures.js";
import { readApps } from "../../messaging-data/last-day/read-apps.js";
import type { Day } from "../../model/day.js";
import type { Store } from "../../store/store.js";
import { watchLastDay } from "../operators/last-day-metrics.js";
import type { ServerParts } from "../server-parts.js";
import { type RunningJob, startListedDataJob } from "./start-listed-data-job.js";

/** Least time between two readings of a project's last day, in milliseconds: about that between two scrapes. */
const MIN_INTERVAL = 15_000;

/** Sums up the last listed day by app whenever a further day is listed or a listed one has changed, for the metrics. */
export function startLastDay(
  store: Store,
  lastListedDay: () => Day,
  parts: Pick<ServerParts, "config" | "control" | "metrics" | "logger" | "failures" | "clock">,
): RunningJob {
  const { config, metrics, clock } = parts;
  const figures = new LastDayFigures();
  const closing = new AbortController();
  const job = listedDataJob({
    name: "last-day",
    store,
    projects: () => config.projects,
    lastListedDay,
    wall: () => clock.wall(),
    minInterval: MIN_INTERVAL,
    run: async (project, day) =>
      figures.set(project, day, await readApps(store, project, day, closing.signal)),
  });
  watchLastDay(metrics.registry, figures);
  const words = { done: "summed up the last listed day", work: "summing up the last listed day" };
  return startListedDataJob(job, words, closing, parts);
}
