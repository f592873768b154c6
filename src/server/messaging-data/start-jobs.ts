import { MAX_WEBHOOK_AT_STOP_MS } from "../../limits/data-limits.js";
import { expiredAt } from "../../messaging-data/jobs/retention.js";
import { RegistryPurge } from "../../registry/purge/registry-purge.js";
import type { OpenParts } from "../open-parts.js";
import type { ServerParts } from "../server-parts.js";
import { incidentsJob, targetsJob } from "./evaluation-jobs.js";
import { lastDayJob, retentionJob } from "./jobs.js";
import type { MessagingDataParts } from "./messaging-data-parts.js";
import { purgeJob } from "./purge-job.js";

/** Interval between checks for newly listed and newly removed days, in milliseconds. */
const DAYS_INTERVAL = 1_000;

/**
 * Starts the background jobs of the messaging-data service.
 *
 * @returns a function that waits for the jobs, like `MessagingData.settled`.
 */
export function startJobs(
  open: OpenParts,
  data: MessagingDataParts,
  parts: ServerParts,
): (withinMs: number) => Promise<void> {
  const { store, rollups, time, mirrors, webhooks, lastListedDay } = data;
  const { config, registry, dayClock } = parts;
  const { retention } = config.messagingData;
  const ended = retentionJob(store, retention, time, parts);
  const lastDay = lastDayJob(store, lastListedDay, parts);
  const watched = incidentsJob(data, parts);
  const targeted = targetsJob(data, parts);
  const purge = purgeJob(store, new RegistryPurge(registry), time, parts);
  const jobs = [rollups, lastDay, ended, watched, targeted, purge].filter((job) => job !== undefined);
  rollups.runner.start();
  open.add({ close: (graceMs) => rollups.runner.stop(graceMs) });
  lastDay.runner.start();
  open.add({ close: () => lastDay.runner.stop(0) });
  ended?.runner.start();
  open.add({ close: async () => ended?.runner.stop() });
  purge.runner.start();
  open.add({ close: () => purge.runner.stop(0) });
  for (const { runner } of webhooks) runner.start();
  watched.runner.start();
  targeted.runner.start();
  open.add({
    close: async () => {
      const stopping = webhooks.map(({ runner }) => runner.stop(MAX_WEBHOOK_AT_STOP_MS));
      await Promise.all([watched.runner.stop(0), targeted.runner.stop(0), ...stopping]);
    },
  });
  const watch = watchDays(
    () => ({ listed: lastListedDay(), ...expiredAt(dayClock.wall(), retention) }),
    () => {
      for (const { runner } of jobs) runner.notice();
    },
  );
  open.add({ close: async () => clearInterval(watch) });
  return async (withinMs) => {
    const deadline = performance.now() + withinMs;
    purge.runner.notice();
    for (const { job } of mirrors.all) job.runner.release();
    for (const webhook of webhooks) webhook.runner.release();
    // The order matters, because a day is removed only after its last rollup.
    for (const job of [rollups, ended, watched, targeted]) await job?.runner.settled(deadline);
  };
}

/** Calls `onChange` within a second after the set of listed or removed days has changed. */
function watchDays(read: () => object, onChange: () => void): NodeJS.Timeout {
  let last = JSON.stringify(read());
  return setInterval(() => {
    const days = JSON.stringify(read());
    if (days !== last) onChange();
    last = days;
  }, DAYS_INTERVAL);
}
