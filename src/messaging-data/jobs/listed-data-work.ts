import type { ProjectWork } from "../../jobs/project-work.js";
import type { Day } from "../../model/day.js";
import type { Project, ProjectNumber } from "../../model/names.js";
import type { DeliveryDataStore } from "../../store/delivery-data-store.js";

export interface ListedDataParts {
  /** Name of the lease that covers the work. */
  readonly name: string;
  readonly store: Pick<DeliveryDataStore, "version" | "projectsWithEntries">;
  readonly projects: () => readonly Project[];
  /** Returns the last day that is listed now. */
  readonly lastListedDay: () => Day;
  /** Returns the current time, in milliseconds since the Unix epoch. */
  readonly wall: () => number;
  /**
   * Minimum interval between two runs for the same project and day, in milliseconds. There may be many runs, because
   * late events can keep arriving. After a long run, the interval is ten times its duration, but at most five minutes.
   */
  readonly minInterval: number;
  /** Interval between checks for changed days if no notice has arrived, in milliseconds. */
  readonly interval?: number;
  /** Does the work for one project. @param until last listed day. */
  readonly run: (project: ProjectNumber, until: Day, signal: AbortSignal) => Promise<void>;
}

/**
 * Ratio of the interval between two runs to their duration. It exceeds the job's pause, so that other processes get the
 * lease.
 */
const INTERVAL_FACTOR = 10;
/** Maximum interval between two runs, in milliseconds. A longer `minInterval` overrides it. */
const MAX_INTERVAL = 300_000;

/** The last run for one project. */
interface Done {
  readonly until: Day;
  readonly version: string;
  readonly at: number;
  /** Minimum time until the next run for the same day, in milliseconds. */
  readonly interval: number;
  /** True if no run was needed, because the project has never had entries. */
  readonly isSkipped: boolean;
}

/**
 * Creates background work on listed delivery data. A project is due when another day is listed, and after a listed day
 * was published, unless it has never had entries. Every process does the work for itself. The lease makes them do it one
 * after another.
 */
export function listedDataWork(parts: ListedDataParts): ProjectWork {
  const { name, interval, store, projects, lastListedDay, wall, minInterval } = parts;
  const lastDone = new Map<string, Done>();

  /** Returns true if the interval has passed and listed data of a project may have changed since the last run. */
  const isDue = async (project: ProjectNumber): Promise<boolean> => {
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
      const until = lastListedDay();
      const due: string[] = [];
      // Versions are read first. If a day is published after that, the project is due later.
      const empty = new Map<string, string>();
      for (const { number } of projects()) {
        if (!(await isDue(number))) continue;
        due.push(number);
        if (lastDone.get(number)?.isSkipped !== false) empty.set(number, await store.version(number, until));
      }
      if (empty.size > 0) for (const number of await store.projectsWithEntries()) empty.delete(number);
      for (const [number, version] of empty)
        lastDone.set(number, { until, version, at: wall(), interval: 0, isSkipped: true });
      return due
        .filter((number) => !empty.has(number))
        .map((number) => ({ project: number, days: 1, since: wall() }));
    },
    release: () => {
      for (const [project, done] of lastDone) lastDone.set(project, { ...done, interval: 0 });
    },
    run: async (project, _days, _fence, signal) => {
      const until = lastListedDay();
      const start = wall();
      // The version is read first. If a day is published during the run, the project is then due again.
      const version = await store.version(project, until);
      await parts.run(project, until, signal);
      const at = wall();
      const interval = Math.max(minInterval, Math.min(INTERVAL_FACTOR * (at - start), MAX_INTERVAL));
      lastDone.set(project, { until, version, at, interval, isSkipped: false });
      return undefined;
    },
  };
}
