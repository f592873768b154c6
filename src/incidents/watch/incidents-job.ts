import type { ProjectWork } from "../../jobs/project-work.js";
import type { AppCounts } from "../../messaging-data/jobs/app-counts.js";
import { listedDataWork } from "../../messaging-data/jobs/listed-data-work.js";
import type { Day } from "../../model/day.js";
import type { Project, ProjectNumber } from "../../model/names.js";
import type { Store } from "../../store/store.js";
import type { AppIncident } from "../list/app-incident.js";
import type { AppIncidents } from "../list/app-incidents.js";
import { withoutRepeatedSilences } from "../list/project-silences.js";

/**
 * Minimum time between two evaluations of a project on one day, and interval between checks for changed days, in
 * milliseconds. Together they are less than ten seconds, so late events are visible within that time.
 */
const MIN_INTERVAL = 5_000;
const INTERVAL = 4_000;
const APPS_AT_ONCE = 1_000;

/** Number of days for which ended incidents are passed on. It is longer than any incident lasts. */
const RECENT_DAYS = 90;

export interface Evaluation {
  readonly project: ProjectNumber;
  /** The last listed day. */
  readonly until: Day;
  /** True if the incidents include all events of the last listed day that were imported when the evaluation began. */
  readonly isComplete: boolean;
  /** Ongoing incidents of all apps, and ones that ended in the last {@link RECENT_DAYS} days. */
  readonly incidents: readonly AppIncident[];
}

export interface IncidentsWorkDependencies {
  readonly incidents: Pick<AppIncidents, "of">;
  readonly store: Pick<Store, "version" | "listApps" | "projectsWithEntries" | "staleDays">;
  readonly projects: () => readonly Project[];
  /** Returns the last listed day. */
  readonly lastListedDay: () => Day;
  /** Returns the current time in milliseconds since the Unix epoch. */
  readonly wall: () => number;
  readonly ongoing: AppCounts;
  /** Called after a project is evaluated. If it fails, the project is evaluated again. */
  readonly evaluated: (evaluation: Evaluation, signal: AbortSignal) => Promise<void>;
}

/**
 * Evaluates all apps of a project when a new day is listed, and after changes of a listed day. Each process needs the
 * incidents for its own metrics and responses, so the processes evaluate one after another, each while it holds the
 * lease.
 */
export function incidentsWork(dependencies: IncidentsWorkDependencies): ProjectWork {
  const { incidents, store, projects, lastListedDay, wall, ongoing } = dependencies;

  async function* appsOf(project: ProjectNumber, until: Day, signal: AbortSignal): AsyncGenerator<string> {
    for (let after: string | undefined; ; ) {
      const query = { project, until, limit: APPS_AT_ONCE, ...(after !== undefined && { after }) };
      const apps = await store.listApps(query, signal);
      for (const { appId } of apps) yield appId;
      if (apps.length < APPS_AT_ONCE) return;
      after = apps.at(-1)?.appId;
    }
  }

  return listedDataWork({
    name: "incidents",
    store,
    projects,
    lastListedDay,
    wall,
    minInterval: MIN_INTERVAL,
    interval: INTERVAL,
    run: async (project, until, signal) => {
      const [newestStale] = await store.staleDays({ project, before: until + 1, limit: 1 });
      const recent: AppIncident[] = [];
      const byApp = new Map<string, readonly AppIncident[]>();
      for await (const appId of appsOf(project, until, signal)) {
        const found = await incidents.of({ project, appId, until }, signal);
        if (found.length > 0) byApp.set(appId, found);
        for (const incident of found) {
          if ((incident.endDay ?? until) > until - RECENT_DAYS) recent.push(incident);
        }
      }
      const reported = new Set(withoutRepeatedSilences(recent));
      const counts = [...byApp].map(([appId, found]): [string, number] => [
        appId,
        found.filter((incident) => incident.endDay === undefined && reported.has(incident)).length,
      ]);
      ongoing.set(project, new Map(counts));
      const isComplete = newestStale !== until;
      await dependencies.evaluated({ project, until, isComplete, incidents: recent }, signal);
    },
  });
}
