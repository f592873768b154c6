import { MAX_DAYS_A_TURN } from "../../limits/limits.js";
import type { Day } from "../../model/day.js";
import type { MessageEventStore, StaleProject } from "../../store/message-event-store.js";
import { RestingDays } from "./resting-days.js";
import { Turns } from "./turns.js";

/**
 * Time without further notices before a round starts, in milliseconds: concurrent imports then share a
 * rollup.
 */
const QUIET = 250;
/** Longest delay from a notice to its round, in milliseconds, regardless of further notices. */
const MAX_GATHERING = 1_000;
/** Interval at which the store is asked for stale days even without a notice, in milliseconds. */
const POLL_INTERVAL = 30_000;
/** Number of consecutive failures that are blamed on the store rather than on the days. */
const MAX_FAILURES_IN_A_ROW = 10;
const PAUSE_AFTER_FAILURES = 1_000;

/** Observer of a scheduler's rollups. */
export interface RollupObserver {
  /** @param milliseconds time that the rollup of these days took. */
  rolledUp(project: string, days: readonly Day[], milliseconds: number): void;
  /** @param attempt the failed rollup; missing if the search for stale days failed. */
  failed(error: unknown, attempt?: { readonly project: string; readonly days: readonly Day[] }): void;
}

/** The part of a store that a scheduler needs. */
export type RollupStore = Pick<MessageEventStore, "staleProjects" | "staleDays" | "rollUp">;

/**
 * Keeps the delivery data up to date: rolls up each day soon after its events have changed. Projects take
 * turns and do not wait for all the days of another project; within a project, recent days come first.
 */
export class RollupScheduler {
  readonly #store: RollupStore;
  readonly #observer: RollupObserver;
  readonly #resting = new RestingDays();
  readonly #turns = new Turns(MAX_DAYS_A_TURN);
  /** The projects with stale days, as of the last look. */
  #stale: readonly StaleProject[] = [];
  #failuresInARow = 0;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  /** Time of the first notice since the last look, by the monotonic clock. */
  #noticedAt: number | undefined;
  #stopped = false;

  constructor(store: RollupStore, observer: RollupObserver) {
    this.#store = store;
    this.#observer = observer;
  }

  /** Starts rollups, beginning with days left stale by an earlier run. */
  start(): void {
    this.notice();
  }

  /** Tells the scheduler that events were stored. */
  notice(): void {
    this.#noticedAt ??= performance.now();
    if (this.#round === undefined) this.#schedule();
  }

  /**
   * Returns the age at `now` of the oldest change not rolled up, in milliseconds; 0 without such a change.
   */
  lag(now: number): number {
    return this.#stale.reduce((longest, { since }) => Math.max(longest, now - since), 0);
  }

  /** Number of stale days. */
  get staleDays(): number {
    return this.#stale.reduce((sum, { days }) => sum + days, 0);
  }

  /** Waits for the rollup in progress, and starts no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  /** @param next time until there is work even without a notice, in milliseconds. */
  #schedule(next = POLL_INTERVAL): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const gathering =
      this.#noticedAt === undefined
        ? Number.POSITIVE_INFINITY
        : Math.min(QUIET, this.#noticedAt + MAX_GATHERING - performance.now());
    this.#timer = setTimeout(
      () => {
        this.#round = this.#runRound().then((wait) => {
          this.#round = undefined;
          this.#schedule(wait);
        });
      },
      Math.min(next, gathering),
    );
  }

  /** Rolls up until all stale days rest; returns the time until there is more work, in milliseconds. */
  async #runRound(): Promise<number> {
    this.#failuresInARow = 0;
    try {
      for (;;) {
        const wait = await this.#giveTurns();
        if (wait !== undefined || this.#stopped) return wait ?? 0;
        if (this.#failuresInARow >= MAX_FAILURES_IN_A_ROW) return PAUSE_AFTER_FAILURES;
      }
    } catch (error) {
      this.#observer.failed(error);
      return PAUSE_AFTER_FAILURES;
    }
  }

  /**
   * Reads the stale projects and gives each a turn, until a notice says that there may be others.
   *
   * @returns the milliseconds until a day may be rolled up again, if no project could use its turn.
   */
  async #giveTurns(): Promise<number | undefined> {
    this.#noticedAt = undefined;
    this.#stale = await this.#store.staleProjects();
    const now = performance.now();
    this.#resting.forgetRested(now);
    let wake = now + POLL_INTERVAL;
    let idle = true;
    for (const project of this.#turns.order(this.#stale.map((stale) => stale.project))) {
      if (this.#stopped || this.#failuresInARow >= MAX_FAILURES_IN_A_ROW) return undefined;
      const { days, restUntil } = await this.#nextDays(project, now);
      wake = Math.min(wake, restUntil);
      if (days.length === 0) continue;
      idle = false;
      await this.#rollUp(project, days);
      if (this.#noticedAt !== undefined) return undefined;
    }
    return idle ? Math.max(0, wake - performance.now()) : undefined;
  }

  /**
   * Returns the newest stale days of a project that do not rest, and when the first resting day may run
   * again.
   */
  async #nextDays(project: string, now: number): Promise<{ days: Day[]; restUntil: number }> {
    let restUntil = Number.POSITIVE_INFINITY;
    let before: Day | undefined;
    for (;;) {
      const stale = await this.#store.staleDays({ project, before, limit: MAX_DAYS_A_TURN });
      const days = stale.filter((day) => {
        const until = this.#resting.restUntil(project, day, now);
        restUntil = Math.min(restUntil, until ?? restUntil);
        return until === undefined;
      });
      if (days.length > 0 || stale.length < MAX_DAYS_A_TURN) {
        return { days: days.slice(0, this.#turns.sizeFor(project)), restUntil };
      }
      before = stale.at(-1);
    }
  }

  /** Rolls up days of a project. A failure is recorded and does not stop other rollups. */
  async #rollUp(project: string, days: readonly Day[]): Promise<void> {
    const start = performance.now();
    try {
      const done = days.slice(0, await this.#store.rollUp(project, days));
      const now = performance.now();
      this.#failuresInARow = 0;
      this.#turns.took(project, days.length, true);
      this.#resting.succeeded(project, done, now, now - start);
      this.#observer.rolledUp(project, done, now - start);
    } catch (error) {
      this.#failuresInARow++;
      this.#turns.took(project, days.length, false);
      const [day, ...others] = days;
      if (day !== undefined && others.length === 0) this.#resting.failed(project, day, performance.now());
      this.#observer.failed(error, { project, days });
    }
  }
}
