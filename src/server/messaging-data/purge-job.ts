import { eraseRecords } from "../../control/erase-records.js";
import { type Json, PROJECT_KINDS } from "../../control/records.js";
import type { RetentionTime } from "../../messaging-data/jobs/retention.js";
import type { AuditNote } from "../../registry/audit-note.js";
import { PurgeJob, type PurgeSource } from "../../registry/purge-job.js";
import type { ErasureStore } from "../../store/erasure-store.js";
import type { ServerParts } from "../server-parts.js";

/** Author of erasures, for the history of records. */
const PURGE: AuditNote & Json = { principal: "", issuer: "", network: "", method: "purge" };

/**
 * Creates the job that erases deleted projects: their data in the store, and their records.
 *
 * @param source deleted projects.
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
  }: Pick<ServerParts, "control" | "metrics" | "logger" | "failures" | "clock">,
): PurgeJob {
  return new PurgeJob({
    source,
    erase: [
      (project) => store.erase(project),
      (project) => eraseRecords(control.records, PROJECT_KINDS, project, PURGE),
    ],
    leases: control.leases,
    time,
    clock,
    observer: {
      purged: (project) => logger.info({ project }, "erased a deleted project"),
      failed: (error, project) => {
        metrics.storeErrors.inc({ caller: "purge" });
        failures.failed({ project }, error, "erasing a deleted project failed; will try again");
      },
    },
  });
}
