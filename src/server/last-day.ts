import { JobRunner } from "../messaging-data/jobs/job-runner.js";
import { listedDataJob } from "../messaging-data/jobs/listed-data-job.js";
import { LastDayFigures } from "../messaging-data/last-day/last-day-figures.js";
import { readApps } from "../messaging-data/last-day/read-apps.js";
import type { Day } from "../model/day.js";
import type { Store } from "../store/store.js";
import type { Closable } from "./open-parts.js";
import { watchLastDay } from "./operators/last-day-metrics.js";
import type { ServerParts } from "./server-parts.js";

/** Least time between two readings of a project's last day, in milliseconds: about that between two scrapes. */
const MIN_INTERVAL = 15_000;

/** Sums up the last listed day by app whenever a further day is listed or a listed one has changed, for the metrics. */
export function startLastDay(
  store: Store,
  lastListedDay: () => Day,
  {
    config,
    control,
    metrics,
    logger,
    clock,
  }: Pick<ServerParts, "config" | "control" | "metrics" | "logger" | "clock">,
): Closable & Pick<JobRunner, "notice"> {
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
  const runner = new JobRunner(job, control.leases, {
    done: (project, _, milliseconds) =>
      logger.debug({ project, durationMs: Math.round(milliseconds) }, "summed up the last listed day"),
    failed: (error, attempt) => {
      if (closing.signal.aborted) return;
      metrics.storeErrors.inc({ caller: "last-day" });
      logger.error(
        { project: attempt?.project, err: error },
        "summing up the last listed day failed and will be tried again",
      );
    },
  });
  watchLastDay(metrics.registry, figures);
  runner.start();
  return {
    notice: () => runner.notice(),
    close: () => {
      closing.abort();
      return runner.stop();
    },
  };
}
