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
 * Work on projects, day by day or on each project as a whole. A `ProjectJob` decides when a project gets a slot.
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
  /** Name of the lease under which the work is done. */
  readonly name: string;
  /** Interval at which due work is looked for without a notice, in milliseconds. 30 seconds by default. */
  readonly interval?: number;
  /** Longest rest of a day after work that was done, in milliseconds. Two seconds by default. */
  readonly maxRest?: number;
  /** True to work on two projects at the same time: slow work on one then does not keep others waiting. */
  readonly isParallel?: boolean;
  /** True if an attempt may last as long as it needs. */
  readonly isUnlimited?: boolean;

  /** Lists the projects with due work. */
  dueProjects(): Promise<readonly DueProject[]>;

  /**
   * Lists due days of a project, the most urgent first, a limited number at a time. If omitted, each project is worked
   * on as a whole.
   */
  dueDays?(query: DueDayQuery): Promise<readonly Day[]>;

  /**
   * Returns true while new work for a project keeps arriving. Its days then rest in proportion to all work on
   * the project, and no longer than it is busy. If omitted, no project is ever busy.
   */
  isBusy?(project: string): boolean;

  /** Makes due what only waits for time to pass. If omitted, nothing ever does. */
  release?(): void;

  /**
   * Returns the part of the time of the last {@link run} by which its days rest, in milliseconds. If omitted or
   * undefined, all of it. It need not include waits for a store that was away.
   */
  workMs?(): number | undefined;

  /**
   * Works on as many days, from the first on, as are little work together, but on at least one.
   * Another process may do the same work if this one loses its lease: the work must bear repetition, or
   * compare `fence`.
   *
   * @param days distinct due days of the project, at least one. Without meaning if a project is worked on as a whole.
   * @param fence fence of the lease under which the job runs.
   * @param signal stops the work when it aborts, because the attempt has reached its time limit or its slot is needed.
   * @returns the number of days done. If omitted, all.
   * @throws the reason of `signal` or any other error if it was stopped.
   */
  run(project: string, days: readonly Day[], fence: Fence, signal: AbortSignal): Promise<number | undefined>;
}
