import type { ProjectWork } from "../../jobs/project-work.js";
import type { Day } from "../../model/day.js";
import type { Project } from "../../model/names.js";
import type { DeliveryDataStore } from "../../store/delivery-data-store.js";

/** Options of {@link listedDataWork}. */
export interface ListedDataParts {
  /** Name of the lease for the work. */
  readonly name: string;
  readonly store: Pick<DeliveryDataStore, "version">;
  readonly projects: () => readonly Project[];
  /** Returns the last listed day. */
  readonly lastListedDay: () => Day;
  /** Returns the time in milliseconds since the Unix epoch. */
  readonly wall: () => number;
  /**
   * Minimum interval between two runs for a project on one day, in milliseconds, since late events may keep arriving. If a
   * run lasts long, the interval is ten times its duration, up to five minutes.
   */
  readonly minInterval: number;
  /** Interval between checks for changed days without a notice, in milliseconds. */
  readonly interval?: number;
  /**
   * Does the work for a project, by its number.
   *
   * @param until last listed day.
   */
  readonly run: (project: string, until: Day, signal: AbortSignal) => Promise<void>;
}

/** Ratio of the interval between two runs to their duration. It exceeds the job's rest, so other processes get the lease. */
const INTERVAL_FACTOR = 10;
/** Maximum interval between two runs in milliseconds, unless the job's `minInterval` is longer. */
const MAX_INTERVAL = 300_000;

/** The last run for a project. */
interface Done {
  readonly until: Day;
  readonly version: string;
  readonly at: number;
  /** Minimum time until the next run on the same day, in milliseconds. */
  readonly interval: number;
}

/**
 * Work on listed delivery data: a project is due when another day is listed, and when a listed day was published. Every
 * process does the work itself, one process at a time, as it gets the lease.
 */
export function listedDataWork(parts: ListedDataParts): ProjectWork {
  const { name, interval, store, projects, lastListedDay, wall, minInterval } = parts;
  const lastDone = new Map<string, Done>();

  /** Returns true if listed data of a project may have changed since the last run, and the interval has passed. */
  const isDue = async (project: string): Promise<boolean> => {
    const before = lastDone.get(project);
    const until = lastListedDay();
    if (before?.until !== until) return true;
    if (Math.abs(wall() - before.at) < before.interval) return false;
    return before.version !== (await store.version(project, until));
  };

  return {
    name,
    ...(interval !== undefined && { interval }),
    isUnlimited: true,
    dueProjects: async () => {
      const due = [];
      for (const { number } of projects()) {
        if (await isDue(number)) due.push({ project: number, days: 1, since: wall() });
      }
      return due;
    },
    release: () => {
      for (const [project, done] of lastDone) lastDone.set(project, { ...done, interval: 0 });
    },
    run: async (project, _days, _fence, signal) => {
      const until = lastListedDay();
      const start = wall();
      // Read first, so that a publication during the run makes the project due again.
      const version = await store.version(project, until);
      await parts.run(project, until, signal);
      const at = wall();
      const interval = Math.max(minInterval, Math.min(INTERVAL_FACTOR * (at - start), MAX_INTERVAL));
      lastDone.set(project, { until, version, at, interval });
      return undefined;
    },
  };
}
