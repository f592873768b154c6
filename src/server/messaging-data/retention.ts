import type { Control } from "../../control/control.js";
import { JobRunner } from "../../messaging-data/jobs/job-runner.js";
import { AgreedTime } from "../../messaging-data/retention/agreed-time.js";
import type { Retention } from "../../messaging-data/retention/expired-days.js";
import { retentionJob } from "../../messaging-data/retention/retention-job.js";
import type { RetentionStore } from "../../store/retention-store.js";
import type { ServerParts } from "../server-parts.js";

/**
 * Starts to end days that are older than the retention, by a clock that operators have set, or else by a time that the clock
 * of the machine and that of the control data have agreed on for minutes.
 *
 * @returns undefined if everything is kept.
 */
export function startRetention(
  store: RetentionStore,
  retention: Retention,
  {
    control,
    metrics,
    logger,
    failures,
    dayClock,
  }: Pick<ServerParts, "metrics" | "logger" | "failures" | "dayClock"> & {
    readonly control: Pick<Control, "leases" | "now">;
  },
): JobRunner | undefined {
  const keepsAll = retention.messages === undefined && retention.deliveryData === undefined;
  const agreed = new AgreedTime(dayClock);
  const time = async (): Promise<number | undefined> => {
    if (dayClock.isSet) return dayClock.wall();
    const now = agreed.now();
    return now === undefined ? undefined : Math.min(now, await control.now());
  };
  const job = retentionJob(store, retention, time);
  const runner = keepsAll
    ? undefined
    : new JobRunner(job, control.leases, {
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
          failures.failed({ ...what }, error, "removing expired data failed and will be tried again");
        },
      });
  metrics.watchRetention({
    lag: () => (runner?.lag(dayClock.wall()) ?? 0) / 1000,
    dueDays: () => runner?.dueDays ?? 0,
  });
  runner?.start();
  return runner;
}
