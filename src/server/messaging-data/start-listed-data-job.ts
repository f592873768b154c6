import type { Job } from "../../messaging-data/jobs/job.js";
import { JobRunner } from "../../messaging-data/jobs/job-runner.js";
import type { ServerParts } from "../server-parts.js";

/** What a job on listed data does, in the words of the log. */
export interface ListedDataWords {
  /** Logged when it is done for a project. */
  readonly done: string;
  /** Its subject in `… failed and will be tried again`. */
  readonly work: string;
}

/** A job that runs until it is closed. */
export interface RunningJob extends Pick<JobRunner, "notice" | "settled"> {
  close(): Promise<void>;
}

/**
 * Starts a job on the listed data of projects, whose failures are logged and counted under its name.
 *
 * @param closing is aborted at the end; failures after that are not told.
 */
export function startListedDataJob(
  job: Job,
  { done, work }: ListedDataWords,
  closing: AbortController,
  { control, metrics, logger, failures }: Pick<ServerParts, "control" | "metrics" | "logger" | "failures">,
): RunningJob {
  const runner = new JobRunner(job, control.leases, {
    done: (project, _, milliseconds) => logger.debug({ project, durationMs: Math.round(milliseconds) }, done),
    failed: (error, attempt) => {
      if (closing.signal.aborted) return;
      metrics.storeErrors.inc({ caller: job.name });
      failures.failed({ project: attempt?.project }, error, `${work} failed and will be tried again`);
    },
  });
  runner.start();
  return {
    notice: () => runner.notice(),
    settled: (deadline) => runner.settled(deadline),
    close: () => {
      closing.abort();
      return runner.stop();
    },
  };
}
