import type { ProjectWork } from "../../jobs/project-work.js";
import type { Day } from "../../model/day.js";
import type { Project } from "../../model/names.js";
import type { DeliveryDataStore } from "../../store/delivery-data-store.js";

/** The parts of {@link listedDataWork}. */
export interface ListedDataParts {
  /** Name of the lease under which the work is done. */
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
  /** Interval at which changed days are looked for without a notice, in milliseconds. */
  readonly interval?: number;
  /**
   * Does the work for a project, by its number.
   *
   * @param until last listed day.
   */
  readonly run: (project: string, until: Day, signal: AbortSignal) => Promise<void>;
}

/** Ratio of the interval between two runs to the time of a run. Longer than the project rests: other processes get the lease. */
const INTERVAL_FACTOR = 10;
/** Maximum interval between two runs, unless that of the job is longer, in milliseconds. */
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
 * Work on the listed delivery data of projects: on a project when a further day is listed, and when a listed day was
 * published. Each process does it for itself, one after the other, as they get the lease.
 */
export function listedDataWork(parts: ListedDataParts): ProjectWork {
  const { name, interval, store, projects, lastListedDay, wall, minInterval } = parts;
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
      // Read first: whatever is published during the work makes the project due again.
      const version = await store.version(project, until);
      await parts.run(project, until, signal);
      const at = wall();
      const interval = Math.max(minInterval, Math.min(INTERVAL_FACTOR * (at - start), MAX_INTERVAL));
      lastDone.set(project, { until, version, at, interval });
      return undefined;
    },
  };
}
