import type { Control } from "../../control/control.js";
import { ProjectJob } from "../../jobs/project-job.js";
import type { ProjectWork } from "../../jobs/project-work.js";
import { LastDayFigures, readApps } from "../../messaging-data/jobs/last-day.js";
import { listedDataWork } from "../../messaging-data/jobs/listed-data-work.js";
import {
  AgreedTime,
  type Retention,
  type RetentionTime,
  retentionWork,
} from "../../messaging-data/jobs/retention.js";
import { rollupWork } from "../../messaging-data/jobs/rollup-work.js";
import { type Day, formatDay } from "../../model/day.js";
import type { ListedDays } from "../../model/due-days.js";
import { FencedError } from "../../model/store-error.js";
import type { RetentionStore } from "../../store/retention-store.js";
import type { Store } from "../../store/store.js";
import { watchLastDay } from "../operators/store-metrics.js";
import type { ServerParts } from "../server-parts.js";

/**
 * Minimum interval between reads of a project's last listed day, in milliseconds. It is as long as a common scrape
 * interval.
 */
const MIN_LAST_DAY_INTERVAL = 15_000;

type Observed = Pick<ServerParts, "metrics" | "logger" | "failures">;
type Leases = { readonly control: Pick<Control, "leases"> };

/**
 * Creates the job that rolls up stale days.
 *
 * @param listed returns the days that are listed now.
 * @param isBusy returns true while events of the project are arriving.
 */
export function rollupJob(
  store: Store,
  listed: () => ListedDays,
  isBusy: (project: string) => boolean,
  { control, metrics, logger, failures, dayClock }: Observed & Leases & Pick<ServerParts, "dayClock">,
): ProjectJob {
  const job = new ProjectJob(rollupWork(store, listed, isBusy), control.leases, {
    done: (project, days, milliseconds) => {
      metrics.rollups.observe(milliseconds / 1000);
      logger.debug({ project, ...loggable(days), durationMs: Math.round(milliseconds) }, "rolled up days");
    },
    failed: (error, attempt) => {
      const what = attempt && { project: attempt.project, ...loggable(attempt.days) };
      if (error instanceof FencedError) {
        logger.warn({ ...what, err: error }, "another process now runs the rollup");
        return;
      }
      metrics.storeErrors.inc({ caller: "rollup" });
      failures.failed({ ...what }, error, "a rollup failed; will try again");
    },
  });
  metrics.watchRollups({ lag: () => job.lag(dayClock.wall()) / 1000, staleDays: () => job.dueDays });
  return job;
}

/** Summarizes days for a log line. The summary is short for any number of days. */
function loggable(days: readonly Day[]): { readonly newestDay: string; readonly days: number } {
  return { newestDay: formatDay(Math.max(...days)), days: days.length };
}

/**
 * Returns the clock for retention. If operators have set the adjustable clock, retention uses its time. Otherwise, it
 * uses a time on which the machine's clock and the control data's clock have agreed for minutes.
 */
export function retentionTime({
  control,
  dayClock,
}: Pick<ServerParts, "dayClock"> & { readonly control: Pick<Control, "now"> }): RetentionTime {
  const agreed = new AgreedTime(dayClock);
  return async () => {
    if (dayClock.isSet) return dayClock.wall();
    const now = agreed.now();
    return now === undefined ? undefined : Math.min(now, await control.now());
  };
}

/**
 * Creates the job that removes days when they are older than the retention.
 *
 * @returns `undefined` if no retention is configured.
 */
export function retentionJob(
  store: RetentionStore,
  retention: Retention,
  time: RetentionTime,
  {
    control,
    metrics,
    logger,
    failures,
    dayClock,
  }: Observed & Pick<ServerParts, "dayClock"> & { readonly control: Pick<Control, "leases" | "now"> },
): ProjectJob | undefined {
  const keepsAll = retention.messages === undefined && retention.deliveryData === undefined;
  const job = keepsAll
    ? undefined
    : new ProjectJob(retentionWork(store, retention, time), control.leases, {
        done: (project, days, milliseconds) => {
          metrics.expiredDays.inc(days.length);
          logger.info(
            { project, days: days.length, durationMs: Math.round(milliseconds) },
            "removed expired data",
          );
        },
        failed: (error, attempt) => {
          metrics.storeErrors.inc({ caller: "retention" });
          const what = attempt && { project: attempt.project, days: attempt.days.length };
          failures.failed({ ...what }, error, "removing expired data failed; will try again");
        },
      });
  metrics.watchRetention({
    lag: () => (job?.lag(dayClock.wall()) ?? 0) / 1000,
    dueDays: () => job?.dueDays ?? 0,
  });
  return job;
}

/** Parts for {@link listedDataJob}, and for work on all projects. */
export type ListedDataParts = Observed & Leases & Pick<ServerParts, "registry" | "clock">;

/** Creates the job that measures each app's last listed day, for the metrics. */
export function lastDayJob(store: Store, lastListedDay: () => Day, parts: ListedDataParts): ProjectJob {
  const { registry, metrics, clock } = parts;
  const figures = new LastDayFigures();
  watchLastDay(metrics.registry, figures, (project) => registry.project(project) !== undefined);
  const work = listedDataWork({
    name: "last-day",
    store,
    projects: () => registry.activeProjects,
    lastListedDay,
    wall: () => clock.wall(),
    minInterval: MIN_LAST_DAY_INTERVAL,
    run: async (project, day, signal) =>
      figures.set(project, day, await readApps(store, project, day, signal)),
  });
  return listedDataJob(work, "summed up the last listed day", "summing up the last listed day", parts);
}

/**
 * Creates a job that processes the listed data of each project. Failures are logged, and counted by job name.
 *
 * @param done log message after the job has processed a project.
 * @param subject subject of the log message `… failed; will try again`.
 */
export const listedDataJob = (
  work: ProjectWork,
  done: string,
  subject: string,
  { control, metrics, logger, failures }: Observed & Leases,
): ProjectJob =>
  new ProjectJob(work, control.leases, {
    done: (project, _, milliseconds) => logger.debug({ project, durationMs: Math.round(milliseconds) }, done),
    failed: (error, attempt) => {
      metrics.storeErrors.inc({ caller: work.name });
      failures.failed({ project: attempt?.project }, error, `${subject} failed; will try again`);
    },
  });
