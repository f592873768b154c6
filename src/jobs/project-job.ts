import type { LeaseStore } from "../control/lease-store.js";
import { MAX_DAYS_PER_SLOT } from "../limits/limits.js";
import type { Day } from "../model/day.js";
import { FencedError, StoreOutageError } from "../model/store-error.js";
import { type Job, type JobRun, JobRunner, type NextRun } from "./job-runner.js";
import { ProjectSlots } from "./project-slots.js";
import type { DueProject, ProjectWork } from "./project-work.js";
import { RestingDays } from "./resting-days.js";

/** Default interval between checks for due work without a notice, in milliseconds. */
const INTERVAL = 30_000;
/** Time without further notices before a run, in milliseconds. */
const QUIET = 250;
/** Number of consecutive failures after which the store is the likely cause, not the days. */
const MAX_FAILURES_IN_A_ROW = 10;
const PAUSE_AFTER_FAILURES = 1_000;
/**
 * Maximum pause while this process keeps the lease, in milliseconds: work that falls due in other processes waits for
 * it.
 */
const PAUSE_WITH_LEASE = 1_000;
/** Time after which work on a project no longer delays other projects, in milliseconds. */
const SLOW = 500;
/** Abort reason of an attempt that is slow while another slow one runs. It is repeated when that one has ended. */
const POSTPONED = new Error("another slow attempt is in progress");
/** Stands for a project that is worked on as a whole. */
const WHOLE: readonly Day[] = [0];

/** Observer of work on projects. */
export interface WorkObserver {
  /** @param milliseconds duration of the work on these days. */
  done(project: string, days: readonly Day[], milliseconds: number): void;
  /** @param attempt the failed work. If omitted, the search for due work failed. */
  failed(error: unknown, attempt?: { readonly project: string; readonly days: readonly Day[] }): void;
}

/**
 * Does due work on projects. Projects get slots fairly: none waits for all days of another project. An attempt has a
 * time limit. If the work is parallel, a slow attempt continues while other projects get slots. A day rests after work
 * on it, and longer after each failure. The process keeps the lease until all days have rested, because another process
 * would not know of their rests.
 */
export class ProjectJob implements Job {
  readonly runner: JobRunner;
  readonly name: string;
  readonly interval: number;
  readonly quiet = QUIET;
  readonly #work: ProjectWork;
  readonly #observer: WorkObserver;
  readonly #resting: RestingDays;
  readonly #slots: ProjectSlots;
  /** Projects with due work, as of the last check. */
  #due: readonly DueProject[] = [];
  #failuresInARow = 0;
  /** Project of the slow attempt in progress. */
  #slow: string | undefined;
  /** Projects that wait until the slow attempt ends, because their own attempts were slow too. */
  readonly #postponed = new Set<string>();

  constructor(work: ProjectWork, leases: LeaseStore, observer: WorkObserver) {
    this.name = work.name;
    this.interval = work.interval ?? INTERVAL;
    this.#work = work;
    this.#observer = observer;
    this.#resting = new RestingDays(work.maxRest);
    this.#slots = new ProjectSlots(MAX_DAYS_PER_SLOT, work.isUnlimited);
    this.runner = new JobRunner(this, leases);
  }

  /**
   * Returns the age at `now` of the oldest due work, in milliseconds; 0 if nothing is due, or another process has the
   * lease.
   */
  lag(now: number): number {
    return this.#due.reduce((longest, { since }) => Math.max(longest, now - since), 0);
  }

  /** Number of due days. */
  get dueDays(): number {
    return this.#due.reduce((sum, { days }) => sum + days, 0);
  }

  async isIdle(): Promise<boolean> {
    return (await this.#work.dueProjects()).length === 0;
  }

  release(): void {
    this.#resting.clear();
    this.#work.release?.();
  }

  displaced(): void {
    this.#due = [];
  }

  failed(error: unknown): void {
    this.#observer.failed(error);
  }

  async run(run: JobRun): Promise<NextRun> {
    const pause = await this.#assignSlots(run);
    if (this.#failuresInARow >= MAX_FAILURES_IN_A_ROW) {
      this.#failuresInARow = 0;
      return { after: PAUSE_AFTER_FAILURES };
    }
    if (pause === undefined) return { after: 0, keepsLease: true };
    const keepsLease = this.#slow !== undefined || this.#resting.isAnyResting(performance.now());
    return keepsLease ? { after: Math.min(pause, PAUSE_WITH_LEASE), keepsLease } : { after: pause };
  }

  /**
   * Assigns a slot to each project with due work, until a notification that more work may be due.
   *
   * @returns the milliseconds until a day has rested, if no project could use its slot.
   */
  async #assignSlots(run: JobRun): Promise<number | undefined> {
    this.#due = await this.#work.dueProjects();
    const now = performance.now();
    this.#resting.dropRested(now);
    let wake = now + this.interval;
    let isIdle = true;
    for (const project of this.#slots.order(this.#due.map((due) => due.project))) {
      if (run.isEnding || this.#failuresInARow >= MAX_FAILURES_IN_A_ROW) return undefined;
      if (this.#slow !== undefined && (this.#slow === project || this.#postponed.has(project))) continue;
      const { days, restUntil } = await this.#nextDays(project, now);
      wake = Math.min(wake, restUntil);
      if (days.length === 0) continue;
      isIdle = false;
      await this.#workInSlot(project, days, run);
      if (run.isNoticed) return undefined;
    }
    return isIdle ? Math.max(0, wake - performance.now()) : undefined;
  }

  /**
   * Returns the most urgent days of a project that do not rest, and the time at which the first resting day may run
   * again.
   */
  async #nextDays(project: string, now: number): Promise<{ days: Day[]; restUntil: number }> {
    const isBusy = this.#work.isBusy?.(project) ?? false;
    let restUntil = Number.POSITIVE_INFINITY;
    let after: Day | undefined;
    for (;;) {
      const due = (await this.#work.dueDays?.({ project, after, limit: MAX_DAYS_PER_SLOT })) ?? WHOLE;
      const days = due.filter((day) => {
        const until = this.#resting.restUntil(project, day, now, isBusy);
        restUntil = Math.min(restUntil, until ?? restUntil);
        return until === undefined;
      });
      if (days.length > 0 || due.length < MAX_DAYS_PER_SLOT) {
        return { days: days.slice(0, this.#slots.sizeFor(project)), restUntil };
      }
      after = due.at(-1);
    }
  }

  /** Works on days of a project. Stops waiting for the work once it is slow. */
  async #workInSlot(project: string, days: readonly Day[], run: JobRun): Promise<void> {
    const stop = new AbortController();
    const ended = this.#attempt(project, days, run, stop);
    if (!this.#work.isParallel || (await isSettledWithin(ended, SLOW))) return ended;
    if (this.#slow === undefined) {
      this.#slow = project;
      run.continueBeside(
        ended.then(() => {
          this.#slow = undefined;
          this.#postponed.clear();
        }),
      );
      return;
    }
    this.#postponed.add(project);
    stop.abort(POSTPONED);
    await ended;
  }

  /** Works on days of a project. A failure is recorded and does not stop other work. */
  async #attempt(project: string, days: readonly Day[], run: JobRun, stop: AbortController): Promise<void> {
    const start = performance.now();
    const limit = this.#slots.limitFor(project);
    const timer =
      limit &&
      setTimeout(() => {
        this.#slots.reachedLimit(project);
        stop.abort(new Error(`the attempt has reached its time limit of ${limit / 1_000} s`));
      }, limit);
    const signal = AbortSignal.any([stop.signal, run.signal]);
    try {
      const count = await this.#work.run(project, days, run.lease.fence, signal);
      const done = days.slice(0, count ?? days.length);
      const now = performance.now();
      this.#failuresInARow = 0;
      this.#slots.used(project, days.length, true);
      this.#resting.succeeded(project, done, now, this.#work.workMs?.() ?? now - start);
      this.#observer.done(project, done, now - start);
    } catch (error) {
      // Also if the lease can still be extended, as after a database has lost commits. The next lease has a higher
      // fence.
      if (error instanceof FencedError) run.lease.isLost = true;
      this.#slots.used(project, days.length, false);
      if (signal.reason === POSTPONED || run.signal.aborted) return;
      this.#failuresInARow++;
      const [day, ...others] = days;
      const now = performance.now();
      const isOutage = error instanceof StoreOutageError;
      if (day !== undefined && others.length === 0)
        this.#resting.failed(project, day, now, { workMs: now - start, isOutage });
      this.#observer.failed(error, { project, days });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Returns true if work settles within a time, in milliseconds. */
async function isSettledWithin(work: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
