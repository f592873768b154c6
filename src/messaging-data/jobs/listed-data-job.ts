import type { Day } from "../../model/day.js";
import type { Project } from "../../model/project.js";
import type { DeliveryDataStore } from "../../store/delivery-data-store.js";
import type { Job } from "./job.js";

/** What a {@link listedDataJob} depends on, and what it does. */
export interface ListedDataWork {
  /** Name of the lease under which the job runs. */
  readonly name: string;
  readonly store: Pick<DeliveryDataStore, "version">;
  readonly projects: () => readonly Project[];
  /** Returns the last day that is listed now. */
  readonly lastListedDay: () => Day;
  /** Returns the time in milliseconds since the Unix epoch. */
  readonly wall: () => number;
  /**
   * Minimum time between two runs for a project on one day, in milliseconds: late events may arrive all the time. It is ten
   * times as long as a run takes, up to five minutes, if that is longer.
   */
  readonly minInterval: number;
  /** As that of {@link Job}. */
  readonly pollInterval?: number;
  /**
   * Does the work for a project, given in decimal.
   *
   * @param until last listed day.
   */
  readonly run: (project: string, until: Day) => Promise<void>;
}

/** Ratio of the interval between two runs to the time of a run. Longer than the runner rests: other processes get the lease. */
const INTERVAL_FACTOR = 10;
/** Longest interval between two runs, unless that of the job is longer, in milliseconds. */
const MAX_INTERVAL = 300_000;

/** The last work for a project. */
interface Done {
  readonly until: Day;
  readonly version: string;
  readonly at: number;
  /** Minimum time until the next work on the same day, in milliseconds. */
  readonly interval: number;
}

/**
 * A job that works on the listed delivery data of a project when a further day is listed, and when a listed day was
 * published. Each process does the work for itself: one after the other, as they get the lease.
 */
export function listedDataJob(work: ListedDataWork): Job {
  const { name, store, projects, lastListedDay, wall, minInterval } = work;
  const lastDone = new Map<string, Done>();

  /** Returns true if the listed data of a project may have changed since the last work, which was not just now. */
  const isDue = async (project: string): Promise<boolean> => {
    const before = lastDone.get(project);
    const until = lastListedDay();
    if (before?.until !== until) return true;
    if (Math.abs(wall() - before.at) < before.interval) return false;
    return before.version !== (await store.version(project, until));
  };

  return {
    name,
    dueProjects: async () => {
      const due = [];
      for (const { number } of projects()) {
        if (await isDue(number)) due.push({ project: number, days: 1, since: wall() });
      }
      return due;
    },
    dueDays: async ({ project, after }) =>
      after === undefined && (await isDue(project)) ? [lastListedDay()] : [],
    isBusy: () => true,
    ...(work.pollInterval !== undefined && { pollInterval: work.pollInterval }),
    release: () => {
      for (const [project, done] of lastDone) lastDone.set(project, { ...done, interval: 0 });
    },
    run: async (project) => {
      const until = lastListedDay();
      const start = wall();
      // Read first: whatever is published during the work makes the project due again.
      const version = await store.version(project, until);
      await work.run(project, until);
      const at = wall();
      const interval = Math.max(minInterval, Math.min(INTERVAL_FACTOR * (at - start), MAX_INTERVAL));
      lastDone.set(project, { until, version, at, interval });
      return 1;
    },
  };
}
