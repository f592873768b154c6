import { setTimeout as sleep } from "node:timers/promises";
import type { LeaseStore } from "../../control/lease-store.js";
import { MAX_DAYS_A_TURN } from "../../limits/limits.js";
import type { Day } from "../../model/day.js";
import { FencedError, StoreOutageError } from "../../model/store-error.js";
import type { DueProject, Job } from "./job.js";
import { type ExtendedLease, LeaseHolder } from "./lease-holder.js";
import { RestingDays } from "./resting-days.js";
import { Turns } from "./turns.js";

/**
 * Time without further notices before a round starts, in milliseconds: work that falls due at almost the same
 * time is then done together.
 */
const QUIET = 250;
/** Longest delay from a notice to its round, in milliseconds, regardless of further notices. */
const MAX_GATHERING = 1_000;
/** Interval at which a job is asked for due work without a notice, unless it has its own, in milliseconds. */
const POLL_INTERVAL = 30_000;
/** Number of consecutive failures that are blamed on the store rather than on the days. */
const MAX_FAILURES_IN_A_ROW = 10;
const PAUSE_AFTER_FAILURES = 1_000;
/** Pause before the lease is asked for again that another process has, in milliseconds. */
const PAUSE_WITHOUT_LEASE = 1_000;
/** Longest pause of the holder of the lease: other processes leave to it what falls due there. */
const PAUSE_WITH_LEASE = 1_000;

/** Time after which work on a project no longer keeps others waiting, in milliseconds. */
const SLOW = 500;
/** Reason to stop an attempt that is slow while another one is: it is made again once that one has ended. */
const POSTPONED = new Error("another slow attempt is in progress");

/** Reason to stop an attempt when the runner does: the next process makes it again. */
const STOPPED = new Error("the server is shutting down");

/** Interval at which somebody who waits for the end of all due work asks for it, in milliseconds. */
const SETTLED_INTERVAL = 20;

/** Observer of a job. */
export interface JobObserver {
  /** @param milliseconds time that the work on these days took. */
  done(project: string, days: readonly Day[], milliseconds: number): void;
  /** @param attempt the failed work; missing if the search for due work failed. */
  failed(error: unknown, attempt?: { readonly project: string; readonly days: readonly Day[] }): void;
}

/**
 * Runs a job whenever it has due work, and while this process holds the job's lease. Projects take turns and
 * do not wait for all the days of another project. An attempt has a time limit. One that is slow continues in a slot of its own,
 * beside the work on other projects, if the job is parallel. A day rests after it was worked on, and longer after each
 * failure. The lease is held until all days have rested: another process would not know of their rests.
 */
export class JobRunner {
  readonly #job: Job;
  readonly #leases: LeaseHolder;
  readonly #observer: JobObserver;
  readonly #resting: RestingDays;
  readonly #turns = new Turns(MAX_DAYS_A_TURN);
  /** The projects with due work, as of the last look. */
  #due: readonly DueProject[] = [];
  #failuresInARow = 0;
  /** The slow attempt in progress. */
  #slow: { readonly project: string; readonly ended: Promise<void> } | undefined;
  /** Projects that wait for its end, since their own attempts were slow too. */
  readonly #postponed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** The next step, while the runner waits; missing during work. */
  #next: { readonly at: number; readonly go: () => void } | undefined;
  #round: Promise<void> | undefined;
  /** Time of the first notice since the last look, by the monotonic clock. */
  #noticedAt: number | undefined;
  #stopped = false;
  /** Aborts to stop the attempts in progress. */
  readonly #ending = new AbortController();

  constructor(job: Job, leases: LeaseStore, observer: JobObserver) {
    this.#job = job;
    this.#leases = new LeaseHolder(leases);
    this.#observer = observer;
    this.#resting = new RestingDays(job.maxRest);
  }

  /** Starts the job, beginning with work that an earlier run left. */
  start(): void {
    this.#noticedAt ??= performance.now();
    this.#waitForRound(this.#pollInterval);
  }

  /** Tells the runner that there may be new work. */
  notice(): void {
    this.#noticedAt ??= performance.now();
    this.#setTimer();
  }

  /**
   * Returns the age at `now` of the oldest due work, in milliseconds; 0 if nothing is due, or if another
   * process has the lease.
   */
  lag(now: number): number {
    return this.#due.reduce((longest, { since }) => Math.max(longest, now - since), 0);
  }

  /** Number of due days. */
  get dueDays(): number {
    return this.#due.reduce((sum, { days }) => sum + days, 0);
  }

  /**
   * Looks for work at once, also on days that rest, and waits until none is due, but no longer than `deadline`, by the
   * monotonic clock in milliseconds.
   */
  async settled(deadline: number): Promise<void> {
    this.#resting.clear();
    this.#job.release?.();
    this.notice();
    while ((await this.#job.dueProjects()).length > 0) {
      if (this.#stopped || performance.now() >= deadline) return;
      await sleep(SETTLED_INTERVAL);
    }
  }

  /**
   * Waits for the work in progress, and starts no other.
   *
   * @param graceMs time after which the attempts in progress are stopped, in milliseconds; omitted to wait for their end.
   */
  async stop(graceMs?: number): Promise<void> {
    this.#stopped = true;
    this.#wake();
    const timer = graceMs === undefined ? undefined : setTimeout(() => this.#ending.abort(STOPPED), graceMs);
    await this.#round;
    clearTimeout(timer);
  }

  get #pollInterval(): number {
    return this.#job.pollInterval ?? POLL_INTERVAL;
  }

  /** @param milliseconds time until there is work even without a notice. */
  #waitForRound(milliseconds: number): void {
    this.#wait(milliseconds, () => {
      if (this.#stopped) return;
      this.#round = this.#runRound().then((wait) => {
        this.#round = undefined;
        this.#waitForRound(wait);
      });
    });
  }

  #wait(milliseconds: number, go: () => void): void {
    this.#next = { at: performance.now() + milliseconds, go };
    this.#setTimer();
  }

  /** Sets the timer for what comes next, which follows sooner after a notice. */
  #setTimer(): void {
    clearTimeout(this.#timer);
    const next = this.#next;
    if (next === undefined || this.#stopped) return;
    const now = performance.now();
    const gathered =
      this.#noticedAt === undefined
        ? Number.POSITIVE_INFINITY
        : Math.min(now + QUIET, this.#noticedAt + MAX_GATHERING);
    this.#timer = setTimeout(() => this.#wake(), Math.min(next.at, gathered) - now);
  }

  /** Ends the wait for the next step, if there is one. */
  #wake(): void {
    clearTimeout(this.#timer);
    const next = this.#next;
    this.#next = undefined;
    next?.go();
  }

  /** Works until no day is due or rests; returns the time until there is more work, in milliseconds. */
  async #runRound(): Promise<number> {
    this.#failuresInARow = 0;
    this.#noticedAt = undefined;
    try {
      const wait = await this.#leases.under(this.#job.name, async (lease) => {
        try {
          return await this.#runUnder(lease);
        } finally {
          await this.#slow?.ended;
        }
      });
      if (wait !== undefined) return wait;
      this.#due = [];
      return PAUSE_WITHOUT_LEASE;
    } catch (error) {
      this.#observer.failed(error);
      return PAUSE_AFTER_FAILURES;
    }
  }

  async #runUnder(lease: ExtendedLease): Promise<number> {
    for (;;) {
      const wait = await this.#giveTurns(lease);
      if (this.#stopped) return 0;
      if (lease.isLost) return PAUSE_WITHOUT_LEASE;
      const isFailing = this.#failuresInARow >= MAX_FAILURES_IN_A_ROW;
      this.#failuresInARow = isFailing ? 0 : this.#failuresInARow;
      const pause = isFailing ? PAUSE_AFTER_FAILURES : wait;
      if (pause === undefined) continue;
      const mayRest = isFailing || !this.#resting.isAnyResting(performance.now());
      if (mayRest && this.#slow === undefined) return pause;
      await new Promise<void>((resume) => this.#wait(Math.min(pause, PAUSE_WITH_LEASE), resume));
      if (this.#stopped) return 0;
    }
  }

  /**
   * Reads the due projects and gives each a turn, until a notice says that there may be others.
   *
   * @returns the milliseconds until a day has rested, if no project could use its turn.
   */
  async #giveTurns(lease: ExtendedLease): Promise<number | undefined> {
    this.#noticedAt = undefined;
    this.#due = await this.#job.dueProjects();
    const now = performance.now();
    this.#resting.forgetRested(now);
    let wake = now + this.#pollInterval;
    let idle = true;
    for (const project of this.#turns.order(this.#due.map((due) => due.project))) {
      const mayGoOn = !this.#stopped && !lease.isLost && this.#failuresInARow < MAX_FAILURES_IN_A_ROW;
      if (!mayGoOn) return undefined;
      if (this.#slow !== undefined && (this.#slow.project === project || this.#postponed.has(project)))
        continue;
      const { days, restUntil } = await this.#nextDays(project, now);
      wake = Math.min(wake, restUntil);
      if (days.length === 0) continue;
      idle = false;
      await this.#giveSlot(project, days, lease);
      if (this.#noticedAt !== undefined) return undefined;
    }
    return idle ? Math.max(0, wake - performance.now()) : undefined;
  }

  /**
   * Returns the most urgent days of a project that do not rest, and when the first resting day may run again.
   */
  async #nextDays(project: string, now: number): Promise<{ days: Day[]; restUntil: number }> {
    const isBusy = this.#job.isBusy?.(project) ?? false;
    let restUntil = Number.POSITIVE_INFINITY;
    let after: Day | undefined;
    for (;;) {
      const due = await this.#job.dueDays({ project, after, limit: MAX_DAYS_A_TURN });
      const days = due.filter((day) => {
        const until = this.#resting.restUntil(project, day, now, isBusy);
        restUntil = Math.min(restUntil, until ?? restUntil);
        return until === undefined;
      });
      if (days.length > 0 || due.length < MAX_DAYS_A_TURN) {
        return { days: days.slice(0, this.#turns.sizeFor(project)), restUntil };
      }
      after = due.at(-1);
    }
  }

  /** Works on days of a project, and no longer waits for the end of the work once it is slow. */
  async #giveSlot(project: string, days: readonly Day[], lease: ExtendedLease): Promise<void> {
    const stop = new AbortController();
    const ended = this.#run(project, days, lease, stop);
    if (!this.#job.isParallel || (await isSettledWithin(ended, SLOW))) return ended;
    if (this.#slow === undefined) {
      this.#slow = { project, ended: ended.then(() => this.#endSlow()) };
      return;
    }
    this.#postponed.add(project);
    stop.abort(POSTPONED);
    await ended;
  }

  #endSlow(): void {
    this.#slow = undefined;
    this.#postponed.clear();
    this.#wake();
  }

  /** Works on days of a project. A failure is recorded and does not stop other work. */
  async #run(
    project: string,
    days: readonly Day[],
    lease: ExtendedLease,
    stop: AbortController,
  ): Promise<void> {
    const start = performance.now();
    const limit = this.#turns.limitFor(project);
    const timer = setTimeout(() => {
      this.#turns.reachedLimit(project);
      stop.abort(new Error(`the attempt has reached its time limit of ${limit / 1_000} s`));
    }, limit);
    const signal = AbortSignal.any([stop.signal, this.#ending.signal]);
    try {
      const done = days.slice(0, await this.#job.run(project, days, lease.fence, signal));
      const now = performance.now();
      this.#failuresInARow = 0;
      this.#turns.took(project, days.length, true);
      this.#resting.succeeded(project, done, now, this.#job.workMs?.() ?? now - start);
      this.#observer.done(project, done, now - start);
    } catch (error) {
      // Even if the lease can still be extended, as after a database has lost commits: the next one has a higher fence.
      if (error instanceof FencedError) lease.isLost = true;
      this.#turns.took(project, days.length, false);
      if (signal.reason === POSTPONED || signal.reason === STOPPED) return;
      this.#failuresInARow++;
      const [day, ...others] = days;
      const now = performance.now();
      const isOutage = error instanceof StoreOutageError;
      if (day !== undefined && others.length === 0)
        this.#resting.failed(project, day, now, { took: now - start, isOutage });
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
