import type { Fence } from "../control/lease-store.js";
import type { Day } from "../model/day.js";

/** A project's due work. */
export interface DueProject {
  /** Project number, in decimal. */
  readonly project: string;
  /** Number of due days. */
  readonly days: number;
  /** Time at which the oldest due work became due, in milliseconds since the Unix epoch. */
  readonly since: number;
}

/** A query for due days. */
export interface DueDayQuery {
  /** Project number, in decimal. */
  readonly project: string;
  /** Start after this day, in the work's order. If omitted, at the beginning. */
  readonly after?: Day | undefined;
  /** Maximum number of days to return. */
  readonly limit: number;
}

/**
 * Work on projects, day by day or on each project as a whole. A `ProjectJob` assigns slots to projects.
 *
 * @example
 * ```ts
 * const rollup: ProjectWork = {
 *   name: "rollup",
 *   dueProjects: () => store.staleProjects(),
 *   dueDays: ({ project, after, limit }) => store.staleDays({ project, before: after, limit }),
 *   run: (project, days, fence, signal) => store.rollUp(project, days, fence, signal),
 * };
 * const job = new ProjectJob(rollup, leases, observer);
 * job.runner.start();
 * ```
 */
export interface ProjectWork {
  /** Name of the work's lease. */
  readonly name: string;
  /** Interval between checks for due work without a notice, in milliseconds. 30 seconds by default. */
  readonly interval?: number;
  /** Maximum rest of a day after successful work, in milliseconds. Two seconds by default. */
  readonly maxRest?: number;
  /** True to work on two projects at the same time, so that slow work on one does not delay others. */
  readonly isParallel?: boolean;
  /** True if attempts have no time limit. */
  readonly isUnlimited?: boolean;

  /** Lists the projects with due work. */
  dueProjects(): Promise<readonly DueProject[]>;

  /**
   * Lists due days of a project, the most urgent first, up to a limit. If omitted, each project is worked on as a
   * whole.
   */
  dueDays?(query: DueDayQuery): Promise<readonly Day[]>;

  /**
   * Returns true while new work for a project keeps arriving. Its days then rest in proportion to all work on the
   * project, but only as long as it is busy. If omitted, no project is ever busy.
   */
  isBusy?(project: string): boolean;

  /** Makes work due that waits only for time to pass. If omitted, there is no such work. */
  release?(): void;

  /**
   * Returns how much of the last {@link run} determines how long its days rest, in milliseconds. If omitted or
   * undefined, its whole duration. It may exclude waits for an unavailable store.
   */
  workMs?(): number | undefined;

  /**
   * Works on the first days that are little work together, and on at least one. If this process loses its lease,
   * another process may do the same work: it must be repeatable, or compare `fence`.
   *
   * @param days distinct due days of the project, at least one. Without meaning if a project is worked on as a whole.
   * @param fence fence of the job's lease.
   * @param signal aborts when the attempt has reached its time limit or its slot is needed.
   * @returns the number of days done. If omitted, all.
   * @throws the reason of `signal` or any other error if it was aborted.
   */
  run(project: string, days: readonly Day[], fence: Fence, signal: AbortSignal): Promise<number | undefined>;
}
