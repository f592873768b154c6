import type { Control } from "../../control/control.js";
import { withoutRepeatedSilences } from "../../incidents/list/project-silences.js";
import { incidentsWork } from "../../incidents/watch/incidents-job.js";
import type { ProjectJob } from "../../jobs/project-job.js";
import { AppCounts } from "../../messaging-data/jobs/app-counts.js";
import { sendWeeklyReport } from "../../reports/weekly-reports.js";
import { TARGETS } from "../../targets/targets.js";
import { targetsWork } from "../../targets/targets-work.js";
import { type ListedDataParts, listedDataJob } from "./jobs.js";
import type { MessagingDataParts } from "./messaging-data-parts.js";

/** Creates the job that evaluates the incidents of all apps, for metrics and webhooks, and sends weekly reports. */
export function incidentsJob(data: MessagingDataParts, parts: ListedDataParts): ProjectJob {
  const { incidents, ids, store, lastListedDay, webhooks } = data;
  const { registry, metrics, clock } = parts;
  const ongoing = new AppCounts();
  metrics.watchIncidents(() =>
    ongoing.byApp().filter(({ project }) => registry.project(project) !== undefined),
  );
  const work = incidentsWork({
    incidents,
    store,
    projects: () => registry.activeProjects,
    lastListedDay,
    wall: () => clock.wall(),
    ongoing,
    evaluated: async ({ project, until, isComplete, incidents: found }, signal) => {
      const identified = withoutRepeatedSilences(await ids.remember(project, until, found));
      for (const webhook of webhooks) await webhook.evaluated(project, until, identified);
      const known = registry.project(project);
      if (known === undefined) return;
      const evaluated = { project: known, until, isComplete, incidents: identified };
      await sendWeeklyReport(data, evaluated, signal);
    },
  });
  return listedDataJob(work, "looked for incidents", "looking for incidents", parts);
}

/** Creates the job that evaluates all targets, for metrics and webhooks. */
export function targetsJob(
  { targets, results, store, lastListedDay, webhooks }: MessagingDataParts,
  parts: ListedDataParts & { readonly control: Pick<Control, "records"> },
): ProjectJob {
  const { registry, metrics, clock, control } = parts;
  const missed = new AppCounts();
  metrics.watchTargets(() => missed.byApp().filter(({ project }) => registry.project(project) !== undefined));
  let changes = 0;
  const work = targetsWork({
    targets,
    results,
    store,
    projects: () => registry.activeProjects,
    lastListedDay,
    wall: () => clock.wall(),
    changes: () => changes,
    missed,
    evaluated: async (project, evaluated) => {
      for (const webhook of webhooks) await webhook.evaluatedTargets(project, evaluated);
    },
  });
  const job = listedDataJob(work, "evaluated targets", "evaluating targets", parts);
  control.records.onChange(TARGETS.kind, () => {
    changes++;
    job.runner.notice();
  });
  return job;
}
