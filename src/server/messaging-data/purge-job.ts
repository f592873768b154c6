import { eraseRecords } from "../../control/erase-records.js";
import { PROJECT_KINDS } from "../../control/records.js";
import type { RetentionTime } from "../../messaging-data/jobs/retention.js";
import { PurgeJob, type PurgeSource } from "../../registry/purge/purge-job.js";
import { PURGE } from "../../registry/purge/registry-purge.js";
import type { ErasureStore } from "../../store/erasure-store.js";
import type { ServerParts } from "../server-parts.js";

/**
 * Creates the job that erases deleted projects: their data in the store, and their records.
 *
 * @param source lists the deleted projects.
 */
export function purgeJob(
  store: ErasureStore,
  source: PurgeSource,
  time: RetentionTime,
  {
    control,
    metrics,
    logger,
    failures,
    clock,
    dayClock,
  }: Pick<ServerParts, "control" | "metrics" | "logger" | "failures" | "clock" | "dayClock">,
): PurgeJob {
  return new PurgeJob({
    source,
    erase: [
      (project) => store.erase(project),
      (project) => eraseRecords(control.records, PROJECT_KINDS, project, PURGE),
    ],
    leases: control.leases,
    time,
    // Setting the adjustable clock also makes this clock advance, so that tests need not wait for the next check.
    clock: { monotonic: () => clock.monotonic() + dayClock.wall() - clock.wall() },
    observer: {
      purged: (project) => logger.info({ project }, "erased a deleted project"),
      failed: (error, project) => {
        metrics.storeErrors.inc({ caller: "purge" });
        failures.failed({ project }, error, "erasing a deleted project failed; will try again");
      },
    },
  });
}
