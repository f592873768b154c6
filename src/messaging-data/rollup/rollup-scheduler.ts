import { MAX_DAYS_A_TURN } from "../../limits/limits.js";
import type { Day } from "../../model/day.js";
import type { MessageEventStore, StaleProject } from "../../store/message-event-store.js";
import { RestingDays } from "./resting-days.js";
import { Turns } from "./turns.js";

/** Milliseconds without another notice before a round starts, so that imports that come together share a rollup. */
const QUIET = 250;
/** Milliseconds from a notice to its round at most, however many others follow. */
const MAX_GATHERING = 1_000;
/** Milliseconds after which the store is asked for stale days even without a notice. */
const POLL_INTERVAL = 30_000;
/** So many rollups that fail one after the other are the store's fault, not that of their days. */
const MAX_FAILURES_IN_A_ROW = 10;
const PAUSE_AFTER_FAILURES = 1_000;

/** What a scheduler tells those who watch it. */
export interface RollupObserver {
  /** @param milliseconds how long the rollup of these days took. */
  rolledUp(project: string, days: readonly Day[], milliseconds: number): void;
  /** @param attempt what failed, if it was not the search for stale days. */
  failed(error: unknown, attempt?: { readonly project: string; readonly days: readonly Day[] }): void;
}

/** What a scheduler needs of a store. */
export type RollupStore = Pick<MessageEventStore, "staleProjects" | "staleDays" | "rollUp">;

/**
 * Keeps the delivery data up to date: rolls up each day soon after its events have changed. Projects take turns, so that
 * none waits for all the days of another; within a project, recent days come first.
 */
export class RollupScheduler {
  readonly #store: RollupStore;
  readonly #observer: RollupObserver;
  readonly #resting = new RestingDays();
  readonly #turns = new Turns(MAX_DAYS_A_TURN);
  /** As of the last look. */
  #stale: readonly StaleProject[] = [];
  #failuresInARow = 0;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  /** When the first notice came that no look has followed, by the monotonic clock. */
  #noticedAt: number | undefined;
  #stopped = false;

  constructor(store: RollupStore, observer: RollupObserver) {
    this.#store = store;
    this.#observer = observer;
  }

  /** Starts with what is stale from before. */
  start(): void {
    this.notice();
  }

  /** To be called after events were stored. */
  notice(): void {
    this.#noticedAt ??= performance.now();
    if (this.#round === undefined) this.#schedule();
  }

  /** How long, in milliseconds, the oldest change that was not rolled up has waited at `now`; 0 if there is none. */
  lag(now: number): number {
    return this.#stale.reduce((longest, { since }) => Math.max(longest, now - since), 0);
  }

  /** How many days are stale. */
  get staleDays(): number {
    return this.#stale.reduce((sum, { days }) => sum + days, 0);
  }

  /** Lets the rollup under way finish, and starts no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  /** @param next milliseconds until there is something to do even without a notice. */
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

  /** Rolls up until all that is stale rests; returns the milliseconds until there is more to do. */
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
   * Looks what is stale and gives each project a turn, until a notice says that there may be others.
   *
   * @returns the milliseconds until a day may be rolled up again, if no project had use for its turn.
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

  /** The newest stale days of a project that do not rest; and if there are none, until when the first of all rests. */
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

  /** A day that fails by itself is no obstacle to the others. */
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
