import type { LeaseStore } from "../../control/lease-store.js";
import { type Job, type JobRun, JobRunner, type NextRun } from "../../jobs/job-runner.js";
import { type Clock, HOUR_MS, type UnixMillis } from "../../model/clock.js";
import type { ProjectNumber } from "../../model/names.js";

/** Default interval between checks for deleted projects, in milliseconds. */
const INTERVAL_MS = 60_000;
/** Minimum pause between two steps, in milliseconds. Longer steps have longer pauses, for other work. */
const MIN_PAUSE_MS = 20;
/**
 * Time from the first check that finds no data of a project to the last check, in milliseconds. Calls that were in
 * progress when access ended have finished by then.
 */
const CONFIRMATION_MS = HOUR_MS;

export interface PurgeSource {
  /**
   * Lists deleted projects with a purge time up to `now`. Nobody can access or restore them any more.
   *
   * @throws StoreUnavailableError if the projects cannot be read.
   */
  dueForPurge(now: UnixMillis): Promise<readonly ProjectNumber[]>;

  /**
   * Called when no data of a project is left. The project is not due after that. Can be called again after a failure.
   */
  purged(project: ProjectNumber): Promise<void>;
}

/** Erases some data of a project in one small step. Returns true if no data was left. Steps can be repeated. */
export type EraseStep = (project: ProjectNumber) => Promise<boolean>;

export interface PurgeDependencies {
  readonly source: PurgeSource;
  /** Erases each kind of data. */
  readonly erase: readonly EraseStep[];
  readonly leases: LeaseStore;
  /** Returns the time that decides which projects are due; `undefined` while it is unknown. */
  readonly time: () => Promise<UnixMillis | undefined>;
  readonly clock: Pick<Clock, "monotonic">;
  readonly observer: {
    /** Called when no data of a project is left. */
    purged(project: ProjectNumber): void;
    /**
     * Called after a failure. The job tries again.
     *
     * @param project project that was being purged; omitted if the failure came before a project was chosen.
     */
    failed(error: unknown, project?: ProjectNumber): void;
  };
  readonly intervalMs?: number;
  readonly confirmationMs?: number;
}

/**
 * Erases deleted projects in small steps, one project after another. The job can stop at any point, and continues in
 * its next run. A project is purged once a second check finds no data.
 */
export class PurgeJob implements Job {
  readonly name = "purge";
  readonly interval: number;
  readonly runner: JobRunner;
  readonly #dependencies: PurgeDependencies;
  readonly #confirmationMs: number;
  /** Projects for which the last step found no data. */
  readonly #empty = new Set<ProjectNumber>();
  /** Time of the next step of each waiting project, on the monotonic clock. */
  readonly #waiting = new Map<ProjectNumber, number>();

  constructor(dependencies: PurgeDependencies) {
    this.#dependencies = dependencies;
    this.interval = dependencies.intervalMs ?? INTERVAL_MS;
    this.#confirmationMs = dependencies.confirmationMs ?? CONFIRMATION_MS;
    this.runner = new JobRunner(this, dependencies.leases);
  }

  async isDue(): Promise<boolean> {
    return (await this.#due()).length > 0;
  }

  async run(run: JobRun): Promise<NextRun> {
    const { clock, observer } = this.#dependencies;
    for (const project of await this.#due()) {
      if (run.isEnding) break;
      const began = clock.monotonic();
      try {
        if (await this.#isDone(project)) continue;
      } catch (error) {
        // Other projects continue in the meantime.
        this.#waiting.set(project, clock.monotonic() + this.interval);
        observer.failed(error, project);
        continue;
      }
      return { after: Math.max(MIN_PAUSE_MS, clock.monotonic() - began), keepsLease: true };
    }
    return { after: this.interval };
  }

  failed(error: unknown): void {
    this.#dependencies.observer.failed(error);
  }

  async #due(): Promise<readonly ProjectNumber[]> {
    const { source, time } = this.#dependencies;
    const now = await time();
    return now === undefined ? [] : source.dueForPurge(now);
  }

  /** Performs one step. Returns true if no project needs another step now. */
  async #isDone(project: ProjectNumber): Promise<boolean> {
    const { source, clock, observer } = this.#dependencies;
    const waitingUntil = this.#waiting.get(project);
    if (waitingUntil !== undefined && clock.monotonic() < waitingUntil) return true;
    this.#waiting.delete(project);
    if (!(await this.#step(project))) {
      this.#empty.delete(project);
      return false;
    }
    if (!this.#empty.has(project)) {
      this.#empty.add(project);
      this.#waiting.set(project, clock.monotonic() + this.#confirmationMs);
      return this.#confirmationMs > 0;
    }
    await source.purged(project);
    this.#empty.delete(project);
    observer.purged(project);
    return true;
  }

  async #step(project: ProjectNumber): Promise<boolean> {
    for (const erase of this.#dependencies.erase) if (!(await erase(project))) return false;
    return true;
  }
}
