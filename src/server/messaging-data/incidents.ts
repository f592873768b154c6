import type { AppIncidents } from "../../incidents/list/app-incidents.js";
import type { IncidentIds } from "../../incidents/list/incident-ids.js";
import type { IncidentWebhook } from "../../incidents/tell/incident-webhook.js";
import { incidentsJob } from "../../incidents/watch/incidents-job.js";
import { OngoingIncidents } from "../../incidents/watch/ongoing-incidents.js";
import type { Day } from "../../model/day.js";
import type { Store } from "../../store/store.js";
import type { ServerParts } from "../server-parts.js";
import { type RunningJob, startListedDataJob } from "./start-listed-data-job.js";

/** Judges all apps whenever a further day is listed or a listed one has changed, for the metrics and the webhooks. */
export function watchIncidents(
  incidents: AppIncidents,
  ids: IncidentIds,
  store: Store,
  lastListedDay: () => Day,
  webhooks: readonly IncidentWebhook[],
  parts: Pick<ServerParts, "config" | "control" | "metrics" | "logger" | "failures" | "clock">,
): RunningJob {
  const { config, metrics, clock } = parts;
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
      const identified = await ids.remember(project, until, found);
      for (const webhook of webhooks) await webhook.judged(project, until, identified);
    },
    signal: closing.signal,
  });
  metrics.watchIncidents(() => ongoing.byApp());
  const words = { done: "looked for incidents", work: "looking for incidents" };
  const runner = startListedDataJob(job, words, closing, parts);
  for (const webhook of webhooks) webhook.start();
  return {
    ...runner,
    close: async () => {
      await Promise.all([runner.close(), ...webhooks.map((webhook) => webhook.stop())]);
    },
  };
}
