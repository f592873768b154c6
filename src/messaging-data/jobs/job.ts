import type { Fence } from "../../control/lease-store.js";
import type { Day } from "../../model/day.js";

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
  /** Start after this day, in the order of the job; missing to start at the beginning. */
  readonly after?: Day | undefined;
  /** Maximum number of days to return. */
  readonly limit: number;
}

/**
 * Work on days of projects that becomes due again and again. A {@link JobRunner} decides when a project has
 * its turn.
 *
 * @example
 * ```ts
 * const rollup: Job = {
 *   name: "rollup",
 *   dueProjects: () => store.staleProjects(),
 *   dueDays: ({ project, after, limit }) => store.staleDays({ project, before: after, limit }),
 *   run: (project, days, fence, signal) => store.rollUp(project, days, fence, signal),
 * };
 * const runner = new JobRunner(rollup, leases, observer);
 * runner.start();
 * ```
 */
export interface Job {
  /** Name of the lease under which the job runs. */
  readonly name: string;

  /** Lists the projects with due work. */
  dueProjects(): Promise<readonly DueProject[]>;

  /** Lists due days of a project, the most urgent first, a limited number at a time. */
  dueDays(query: DueDayQuery): Promise<readonly Day[]>;

  /**
   * Returns true while new work for a project keeps arriving. Its days then rest in proportion to all work on
   * the project, and no longer than it is busy. Missing if no project is ever busy.
   */
  isBusy?(project: string): boolean;

  /** Interval at which the job is asked for due work without a notice, in milliseconds; missing for 30 seconds. */
  readonly pollInterval?: number;

  /** Makes due what only waits for time to pass. Missing if nothing ever does. */
  release?(): void;

  /** Longest rest of a day after work that was done, in milliseconds; missing for two seconds. */
  readonly maxRest?: number;

  /** True if the job works on two projects at the same time: slow work on one then does not keep others waiting. */
  readonly isParallel?: boolean;

  /**
   * Returns the part of the time of the last {@link run} by which its days rest, in milliseconds. If omitted or
   * undefined, all of it. It need not include waits for a store that was away.
   */
  workMs?(): number | undefined;

  /**
   * Works on as many days, from the start of the list, as are little work together, but on at least one.
   * Another process may do the same work if this one loses its lease: the work must bear repetition, or
   * compare `fence`.
   *
   * @param days distinct due days of the project; at least one.
   * @param fence fence of the lease under which the job runs.
   * @param signal stops the work when it aborts, because the attempt has reached its time limit or its slot is needed.
   * @returns the number of days done.
   * @throws the reason of `signal` or any other error if it was stopped.
   */
  run(project: string, days: readonly Day[], fence: Fence, signal?: AbortSignal): Promise<number>;
}
