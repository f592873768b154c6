import type { Job } from "../../messaging-data/jobs/job.js";
import { listedDataJob } from "../../messaging-data/jobs/listed-data-job.js";
import type { Day } from "../../model/day.js";
import type { Project } from "../../model/project.js";
import type { DeliveryDataStore } from "../../store/delivery-data-store.js";
import type { AppIncident } from "../list/app-incident.js";
import type { AppIncidents } from "../list/app-incidents.js";
import type { OngoingIncidents } from "./ongoing-incidents.js";

/**
 * Minimum time between two evaluations of a project on one day, and interval at which the job looks for changed days, in
 * milliseconds: together less than the ten seconds after which late events show.
 */
const MIN_INTERVAL = 5_000;
const POLL_INTERVAL = 4_000;
/** Number of apps that are listed at once. */
const APPS_AT_ONCE = 1_000;

/** Days since the end of incidents that others take an interest in: longer than any incident lasts. */
const RECENT_DAYS = 90;

/** Dependencies of the job. */
export interface IncidentsJobDependencies {
  readonly incidents: Pick<AppIncidents, "of">;
  readonly store: Pick<DeliveryDataStore, "version" | "listApps">;
  readonly projects: () => readonly Project[];
  /** Returns the last day that is listed now. */
  readonly lastListedDay: () => Day;
  /** Returns the time in milliseconds since the Unix epoch. */
  readonly wall: () => number;
  /** Gets the number of incidents that the job finds. */
  readonly ongoing: OngoingIncidents;
  /**
   * Takes a judgement of a project; the project is judged again if that fails.
   *
   * @param incidents those of all apps that go on, or ended in the last {@link RECENT_DAYS} days.
   */
  readonly judged: (project: string, until: Day, incidents: readonly AppIncident[]) => Promise<void>;
  /** Ends a judgement when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * The job that judges all apps of a project when a further day is listed, and when a listed day was published. Each process
 * keeps what it found, for its metrics and its answers: processes judge one after the other, as they get the lease.
 */
export function incidentsJob(dependencies: IncidentsJobDependencies): Job {
  const { incidents, store, projects, lastListedDay, wall, ongoing, signal } = dependencies;

  async function* appsOf(project: string, until: Day): AsyncGenerator<string> {
    for (let after: string | undefined; ; ) {
      const query = { project, until, limit: APPS_AT_ONCE, ...(after !== undefined && { after }) };
      const apps = await store.listApps(query, signal);
      for (const { appId } of apps) yield appId;
      if (apps.length < APPS_AT_ONCE) return;
      after = apps.at(-1)?.appId;
    }
  }

  return listedDataJob({
    name: "incidents",
    store,
    projects,
    lastListedDay,
    wall,
    minInterval: MIN_INTERVAL,
    pollInterval: POLL_INTERVAL,
    run: async (project, until) => {
      const counts = new Map<string, number>();
      const recent: AppIncident[] = [];
      for await (const appId of appsOf(project, until)) {
        const found = await incidents.of({ project, appId, until }, signal);
        const count = found.filter(({ endDay }) => endDay === undefined).length;
        if (count > 0) counts.set(appId, count);
        for (const incident of found) {
          if ((incident.endDay ?? until) > until - RECENT_DAYS) recent.push(incident);
        }
      }
      ongoing.set(project, counts);
      await dependencies.judged(project, until, recent);
    },
  });
}
