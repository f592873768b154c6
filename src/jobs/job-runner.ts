import { setTimeout as sleep } from "node:timers/promises";
import type { LeaseStore } from "../control/lease-store.js";
import { SerialQueue } from "../limits/pacing.js";
import { type HeldLease, LeaseHolder } from "./lease-holder.js";

/**
 * Pause after a failure in milliseconds. Also the pause before the next attempt to get a lease that another process
 * has.
 */
const PAUSE = 1_000;
/** Maximum delay from a notice to the next run in milliseconds, even if more notices arrive. */
const MAX_GATHERING = 1_000;
/** Interval between checks of {@link JobRunner.settled}, in milliseconds. */
const SETTLED_INTERVAL = 20;

/** Recurring work that only one process at a time does. A {@link JobRunner} runs it. */
export interface Job {
  readonly name: string;
  /** Maximum time between two checks for due work, in milliseconds. A notice shortens it. */
  readonly interval: number;
  /**
   * Time without notices before a run starts, in milliseconds; 0 by default. It lets one run do the work of several
   * notices.
   */
  readonly quiet?: number;
  /** Pause before the next attempt to get the lease if another process has it, in milliseconds; a second by default. */
  readonly pauseWithoutLease?: number;
  /** Returns the pause after a number of consecutive failures, in milliseconds. If omitted, the pause is a second. */
  pauseAfter?(failures: number): number;

  /** Returns true if work may be due. If omitted, only the process with the lease can find out. */
  isDue?(): Promise<boolean>;

  /** Does some of the work that is due, while the process has the lease. */
  run(run: JobRun): Promise<NextRun>;

  /** Makes work due that is only waiting for time to pass. */
  release?(): void;

  /** Returns true if no work is left, neither due nor waiting. If omitted, {@link JobRunner.settled} does not wait. */
  isIdle?(): Promise<boolean>;

  /** Called if work may be due while another process has the lease. */
  displaced?(): void;

  /** Called after {@link isDue}, {@link run} or the lease has failed. The runner tries again later. */
  failed(error: unknown): void;
}

/** When the runner should run a job again. */
export interface NextRun {
  /** Delay in milliseconds; 0 if more work is due now. */
  readonly after: number;
  /** True to keep the lease during the delay. Another process would not know that the work has to wait. */
  readonly keepsLease?: boolean;
  /** True if notices must not shorten the delay. */
  readonly ignoresNotices?: boolean;
}

export interface JobRun {
  readonly lease: HeldLease;
  /** Aborts when the run has to end. */
  readonly signal: AbortSignal;
  /** True if the run must not begin any further work, because the runner is stopping or the lease is lost. */
  readonly isEnding: boolean;
  /** True if a notice has arrived since the run began. */
  readonly isNoticed: boolean;
  /**
   * Keeps the lease until some parallel work has ended. Further runs can happen in the meantime. When the parallel work
   * ends, the next run starts.
   */
  continueBeside(work: Promise<void>): void;
}

/**
 * Runs a job at its interval and after notices, as long as this process holds the job's lease. After a failure, pauses
 * and tries again.
 */
export class JobRunner {
  readonly #job: Job;
  readonly #leases: LeaseHolder;
  /** Lets only one run at a time hold the lease in this process. */
  readonly #holders = new SerialQueue();
  /** Aborted to stop the run in progress. */
  readonly #ending = new AbortController();
  #isStopping = false;
  /** Time of the first notice since work was last checked, on the monotonic clock. */
  #noticedAt: number | undefined;
  /** True if the next wait must end immediately. */
  #isReleased = false;
  #wait: { readonly until: number; readonly ignoresNotices: boolean; readonly end: () => void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(job: Job, leases: LeaseStore) {
    this.#job = job;
    this.#leases = new LeaseHolder(leases);
  }

  /** Starts the job. First checks for work that an earlier process has left. */
  start(): void {
    this.#running ??= this.#run();
    this.notice();
  }

  /** Reports that there may be new work. */
  notice(): void {
    this.#noticedAt ??= performance.now();
    this.#setTimer();
  }

  /** Ends all pauses, for example after the clock was set. */
  release(): void {
    this.#job.release?.();
    this.#isReleased = this.#wait === undefined;
    this.#wake();
  }

  /**
   * Ends all pauses. Then waits until the job is idle, but at most until `deadline` on the monotonic clock, in
   * milliseconds.
   */
  async settled(deadline: number): Promise<void> {
    this.release();
    while ((await this.#job.isIdle?.()) === false) {
      if (this.#isStopping || performance.now() >= deadline) return;
      await sleep(SETTLED_INTERVAL);
    }
  }

  /**
   * Does other work under the job's lease. Waits until no other process has the lease, and no run is in progress in
   * this process.
   *
   * @throws the work's error; the abort reason of `signal`, or of the runner when it is stopped.
   */
  async runNow<T>(work: (run: JobRun) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { name, pauseWithoutLease = PAUSE } = this.#job;
    const either = AbortSignal.any([signal, this.#ending.signal]);
    for (;;) {
      either.throwIfAborted();
      const done = await this.#holders.run(() =>
        this.#leases.under(name, async (lease) => ({
          result: await work(this.#runUnder(lease, either)),
        })),
      );
      if (done !== undefined) return done.result;
      await sleep(pauseWithoutLease, undefined, { signal: either }).catch(() => {});
    }
  }

  /**
   * Waits for work in progress, and starts no more.
   *
   * @param graceMs time after which the work is aborted, in milliseconds. If omitted, the work is never aborted.
   */
  async stop(graceMs?: number): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    const end = () => this.#ending.abort(new Error("the server is shutting down"));
    const timer = graceMs === undefined ? undefined : setTimeout(end, graceMs);
    await this.#running;
    await this.#holders.run(async () => {});
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const { interval, pauseAfter = () => PAUSE } = this.#job;
    let next: NextRun = { after: interval };
    for (let failures = 0; ; ) {
      await this.#sleep(next);
      if (this.#isStopping) return;
      try {
        next = await this.#holders.run(() => this.#look());
        failures = 0;
      } catch (error) {
        if (!this.#ending.signal.aborted) this.#job.failed(error);
        next = { after: pauseAfter(++failures) };
      }
    }
  }

  async #look(): Promise<NextRun> {
    const { name, interval, pauseWithoutLease = PAUSE } = this.#job;
    this.#noticedAt = undefined;
    if ((await this.#job.isDue?.()) === false) return { after: interval };
    const next = await this.#leases.under(name, (lease) => this.#runWhileHeld(lease));
    if (next !== undefined) return next;
    this.#job.displaced?.();
    return { after: pauseWithoutLease };
  }

  /** Runs the job repeatedly until it no longer needs the lease. */
  async #runWhileHeld(lease: HeldLease): Promise<NextRun> {
    const beside = new Set<Promise<void>>();
    const run = this.#runUnder(lease, this.#ending.signal, beside);
    try {
      for (;;) {
        this.#noticedAt = undefined;
        const next = await this.#job.run(run);
        if (!run.isEnding) {
          if (!next.keepsLease && beside.size === 0) return next;
          await this.#sleep(next);
        }
        if (run.isEnding) return { after: this.#job.pauseWithoutLease ?? PAUSE };
      }
    } finally {
      await Promise.all(beside);
    }
  }

  #runUnder(lease: HeldLease, signal: AbortSignal, beside = new Set<Promise<void>>()): JobRun {
    const isEnding = (): boolean => this.#isStopping || lease.isLost;
    const isNoticed = (): boolean => this.#noticedAt !== undefined;
    return {
      lease,
      signal,
      get isEnding() {
        return isEnding();
      },
      get isNoticed() {
        return isNoticed();
      },
      continueBeside: (work) => {
        const ended = work.finally(() => {
          beside.delete(ended);
          this.#wake();
        });
        beside.add(ended);
      },
    };
  }

  /** Waits for a time, or until a notice, a release or a stop. */
  async #sleep({ after, ignoresNotices = false }: NextRun): Promise<void> {
    const isOver = this.#isReleased || this.#isStopping || after <= 0;
    this.#isReleased = false;
    if (isOver) return;
    await new Promise<void>((end) => {
      this.#wait = { until: performance.now() + after, ignoresNotices, end };
      this.#setTimer();
    });
  }

  /** Sets the timer that ends the wait. */
  #setTimer(): void {
    clearTimeout(this.#timer);
    if (this.#wait === undefined) return;
    const { until, ignoresNotices } = this.#wait;
    const now = performance.now();
    const gathered =
      this.#noticedAt === undefined || ignoresNotices
        ? Number.POSITIVE_INFINITY
        : Math.min(now + (this.#job.quiet ?? 0), this.#noticedAt + MAX_GATHERING);
    this.#timer = setTimeout(() => this.#wake(), Math.min(until, gathered) - now);
  }

  /** Ends the wait, if there is one. */
  #wake(): void {
    clearTimeout(this.#timer);
    const wait = this.#wait;
    this.#wait = undefined;
    wait?.end();
  }
}
