import type { AppIncidents } from "../messaging-data/incidents/list/app-incidents.js";
import type { IncidentWebhook } from "../messaging-data/incidents/tell/incident-webhook.js";
import { incidentsJob } from "../messaging-data/incidents/watch/incidents-job.js";
import { OngoingIncidents } from "../messaging-data/incidents/watch/ongoing-incidents.js";
import { JobRunner } from "../messaging-data/jobs/job-runner.js";
import type { Day } from "../model/day.js";
import type { Store } from "../store/store.js";
import type { Closable } from "./open-parts.js";
import type { ServerParts } from "./server-parts.js";

/** Judges all apps whenever a further day is listed or a listed one has changed, for the metrics and the webhooks. */
export function watchIncidents(
  incidents: AppIncidents,
  store: Store,
  lastListedDay: () => Day,
  webhooks: readonly IncidentWebhook[],
  {
    config,
    control,
    metrics,
    logger,
    clock,
  }: Pick<ServerParts, "config" | "control" | "metrics" | "logger" | "clock">,
): Closable & Pick<JobRunner, "notice"> {
  const ongoing = new OngoingIncidents();
  const closing = new AbortController();
  const job = incidentsJob({
    incidents,
    store,
    projects: () => config.projects,
    lastListedDay,
    wall: () => clock.wall(),
    ongoing,
    judged: async (project, until, found) => {
      for (const webhook of webhooks) await webhook.judged(project, until, found);
    },
    signal: closing.signal,
  });
  const runner = new JobRunner(job, control.leases, {
    done: (project, _, milliseconds) =>
      logger.debug({ project, durationMs: Math.round(milliseconds) }, "looked for incidents"),
    failed: (error, attempt) => {
      if (closing.signal.aborted) return;
      metrics.storeErrors.inc({ caller: "incidents" });
      logger.error(
        { project: attempt?.project, err: error },
        "looking for incidents failed and will be tried again",
      );
    },
  });
  metrics.watchIncidents(() => ongoing.byApp());
  runner.start();
  for (const webhook of webhooks) webhook.start();
  return {
    notice: () => runner.notice(),
    close: async () => {
      closing.abort();
      await Promise.all([runner.stop(), ...webhooks.map((webhook) => webhook.stop())]);
    },
  };
}
