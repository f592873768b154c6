import type { LeaseStore } from "../../control/lease-store.js";
import { JobRunner } from "../../messaging-data/jobs/job-runner.js";
import type { Retention } from "../../messaging-data/retention/expired-days.js";
import { retentionJob } from "../../messaging-data/retention/retention-job.js";
import type { RetentionStore } from "../../store/retention-store.js";
import type { ServerParts } from "../server-parts.js";

/**
 * Starts to end days that are older than the retention.
 *
 * @returns undefined if everything is kept.
 */
export function startRetention(
  store: RetentionStore,
  retention: Retention,
  leases: LeaseStore,
  { metrics, logger, dayClock }: Pick<ServerParts, "metrics" | "logger" | "dayClock">,
): JobRunner | undefined {
  const keepsAll = retention.messages === undefined && retention.deliveryData === undefined;
  const job = retentionJob(store, retention, () => dayClock.wall());
  const runner = keepsAll
    ? undefined
    : new JobRunner(job, leases, {
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
          logger.error({ ...what, err: error }, "removing expired data failed and will be tried again");
        },
      });
  metrics.watchRetention({
    lag: () => (runner?.lag(dayClock.wall()) ?? 0) / 1000,
    dueDays: () => runner?.dueDays ?? 0,
  });
  runner?.start();
  return runner;
}
