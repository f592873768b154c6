import type { LeaseStore } from "../control/lease-store.js";
import { MAX_DAYS_PER_SLOT } from "../limits/data-limits.js";
import type { Day } from "../model/day.js";
import type { ProjectNumber } from "../model/names.js";
import { FencedError, StoreOutageError } from "../model/store-error.js";
import { inJob } from "../telemetry/tracing.js";
import { type Job, type JobRun, JobRunner, type NextRun } from "./job-runner.js";
import { ProjectSlots } from "./project-slots.js";
import type { DueProject, ProjectWork } from "./project-work.js";
import { RestingDays } from "./resting-days.js";

/** Default interval between checks for due work without a notice, in milliseconds. */
const INTERVAL = 30_000;
/** Time without further notices before a run, in milliseconds. */
const QUIET = 250;
/** Number of consecutive failures after which the cause is probably the store, and not the days. */
const MAX_FAILURES_IN_A_ROW = 10;
const PAUSE_AFTER_FAILURES = 1_000;
/**
 * Maximum pause while this process keeps the lease, in milliseconds. Work that becomes due in other processes has to
 * wait for this pause.
 */
const PAUSE_WITH_LEASE = 1_000;
/** Time after which work on one project must no longer delay other projects, in milliseconds. */
const SLOW = 500;
/**
 * Abort reason of a slow attempt if another slow attempt is in progress. The aborted attempt is repeated when the other
 * one has ended.
 */
const POSTPONED = new Error("another slow attempt is in progress");
/** Represents all days of a project that is always processed as a whole. */
const WHOLE: readonly Day[] = [0];

export interface WorkObserver {
  /** Called after work was done. @param milliseconds duration of the work on these days. */
  done(project: ProjectNumber, days: readonly Day[], milliseconds: number): void;
  /** Called after work has failed. @param attempt the failed work. Omitted if due work could not be listed. */
  failed(error: unknown, attempt?: { readonly project: ProjectNumber; readonly days: readonly Day[] }): void;
}

/**
 * Does the work that is due for projects. Slots are assigned fairly: no project has to wait until all days of another
 * project are done. Each attempt has a time limit. If the work may run in parallel, a slow attempt continues while
 * other projects get slots. After work on a day, the day pauses; after a failure, it pauses longer. The process keeps
 * the lease until all pauses have ended, because another process would not know about them.
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
  /** Projects that had due work at the last check. */
  #due: readonly DueProject[] = [];
  #failuresInARow = 0;
  /** Project of the slow attempt in progress. */
  #slow: string | undefined;
  /** Projects that wait until the slow attempt in progress ends, because their own attempts were also slow. */
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
   * Returns how old the oldest due work is at `now`, in milliseconds; 0 if no work is due, or another process has the
   * lease.
   */
  lag(now: number): number {
    return this.#due.reduce((longest, { since }) => Math.max(longest, now - since), 0);
  }

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
   * Assigns a slot to each project with due work, until a notice reports that more work may be due.
   *
   * @returns milliseconds until the next pause ends, if no project could use its slot.
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
   * Returns a project's most urgent days that are not pausing, and when the first pausing day may be processed again.
   */
  async #nextDays(project: ProjectNumber, now: number): Promise<{ days: Day[]; restUntil: number }> {
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

  /** Processes days of a project. If the work is slow, it continues while this method returns. */
  async #workInSlot(project: ProjectNumber, days: readonly Day[], run: JobRun): Promise<void> {
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

  /** Processes days of a project. Records a failure, so that other work can continue. */
  async #attempt(
    project: ProjectNumber,
    days: readonly Day[],
    run: JobRun,
    stop: AbortController,
  ): Promise<void> {
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
      const attributes = { "waybill.project": project, "waybill.days": days.length };
      const count = await inJob(this.name, attributes, () =>
        this.#work.run(project, days, run.lease.fence, signal),
      );
      const done = days.slice(0, count ?? days.length);
      const now = performance.now();
      this.#failuresInARow = 0;
      this.#slots.used(project, days.length, true);
      this.#resting.succeeded(project, done, now, this.#work.workMs?.() ?? now - start);
      this.#observer.done(project, done, now - start);
    } catch (error) {
      // The lease is lost even if it could still be extended, for example after a database has lost commits. The next
      // lease has a higher fencing number.
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
