import type { Fence } from "../control/lease-store.js";
import type { Day } from "../model/day.js";
import type { ProjectNumber } from "../model/names.js";

export interface DueProject {
  readonly project: ProjectNumber;
  /** Number of due days. */
  readonly days: number;
  /** Time at which the oldest due work became due, in milliseconds since the Unix epoch. */
  readonly since: number;
}

/** Selects due days. */
export interface DueDayQuery {
  readonly project: ProjectNumber;
  /** Day after which to start, in the work's order. If omitted, starts with the most urgent day. */
  readonly after?: Day | undefined;
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
  /** Name of the lease for the work. */
  readonly name: string;
  /** Interval between checks for due work if there is no notice, in milliseconds; 30 seconds by default. */
  readonly interval?: number;
  /** Maximum pause of a day after successful work, in milliseconds; two seconds by default. */
  readonly maxRest?: number;
  /** True to work on two projects at the same time, so that slow work on one does not delay others. */
  readonly isParallel?: boolean;
  /** True if attempts have no time limit. */
  readonly isUnlimited?: boolean;

  dueProjects(): Promise<readonly DueProject[]>;

  /**
   * Lists the due days of a project, most urgent first, up to a limit. If omitted, each project is processed as a
   * whole.
   */
  dueDays?(query: DueDayQuery): Promise<readonly Day[]>;

  /**
   * Returns true while new work for a project keeps arriving. During this time, the project's days pause in proportion
   * to all work on the project. If omitted, no project is ever busy.
   */
  isBusy?(project: ProjectNumber): boolean;

  /** Makes work due that is only waiting for time to pass. Omitted if there is no such work. */
  release?(): void;

  /**
   * Returns how much of the last {@link run}'s duration determines how long its days pause, in milliseconds. For
   * example, it may exclude waits for an unavailable store. If omitted or undefined, the whole duration counts.
   */
  workMs?(): number | undefined;

  /**
   * Processes days from the start of `days`, as many as are little work together, but at least one. If this process
   * loses its lease, another process may do the same work. The work must therefore be repeatable, or compare `fence`.
   *
   * @param days distinct due days of the project, at least one. Has no meaning if projects are processed as a whole.
   * @param fence fence of the job's lease.
   * @param signal aborts when the attempt has reached its time limit, or another project needs the slot.
   * @returns the number of processed days. If omitted, all days were processed.
   * @throws the abort reason of `signal`, or any other error if it has aborted.
   */
  run(
    project: ProjectNumber,
    days: readonly Day[],
    fence: Fence,
    signal: AbortSignal,
  ): Promise<number | undefined>;
}
