import type { MessageEventStore, ProjectDay, StaleDay } from "../../store/message-event-store.js";

/** Milliseconds that a notice waits for others, so that imports that come together share a rollup. */
const GATHERING = 50;
/** Milliseconds after which the store is asked for stale days even without a notice. */
const POLL_INTERVAL = 30_000;
/** A day rests this many times as long as its rollup took, so that rollups of a busy day take a tenth of the time. */
const REST_FACTOR = 9;
const MAX_REST = 10_000;
const FIRST_RETRY = 1_000;
const MAX_RETRY = 30_000;

/** What a scheduler tells those who watch it. */
export interface RollupObserver {
  /** @param milliseconds how long the rollup took. */
  rolledUp(day: ProjectDay, milliseconds: number): void;
  failed(day: ProjectDay | undefined, error: unknown): void;
}

/** Keeps the delivery data up to date: rolls up each day soon after its events have changed, one day at a time. */
export class RollupScheduler {
  readonly #store: MessageEventStore;
  readonly #observer: RollupObserver;
  /** When each day may be rolled up again, by the monotonic clock; only days that still rest. */
  readonly #restUntil = new Map<string, number>();
  #stale: readonly StaleDay[] = [];
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #noticed = false;
  #retry = FIRST_RETRY;
  #stopped = false;

  constructor(store: MessageEventStore, observer: RollupObserver) {
    this.#store = store;
    this.#observer = observer;
  }

  /** Starts with what is stale from before. */
  start(): void {
    this.notice();
  }

  /** To be called after events were stored. */
  notice(): void {
    this.#noticed = true;
    if (this.#round === undefined) this.#schedule(GATHERING);
  }

  /** How long, in milliseconds, the oldest change that was not rolled up has waited at `now`; 0 if there is none. */
  lag(now: number): number {
    return this.#stale.reduce((longest, { since }) => Math.max(longest, now - since), 0);
  }

  /** Lets the rollup under way finish, and starts no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#runRound().then((next) => {
        this.#round = undefined;
        this.#schedule(this.#noticed ? GATHERING : next);
      });
    }, delay);
  }

  /** Rolls up what is stale and has rested; returns the milliseconds until there is more to do. */
  async #runRound(): Promise<number> {
    this.#noticed = false;
    let current: StaleDay | undefined;
    try {
      this.#stale = await this.#store.staleDays();
      for (const day of this.#stale) {
        if (this.#stopped) return POLL_INTERVAL;
        current = day;
        if (this.#isRested(day)) await this.#rollUp(day);
      }
      this.#retry = FIRST_RETRY;
      return Math.min(
        POLL_INTERVAL,
        ...[...this.#restUntil.values()].map((until) => until - performance.now()),
      );
    } catch (error) {
      this.#observer.failed(current, error);
      this.#retry = Math.min(2 * this.#retry, MAX_RETRY);
      return this.#retry;
    }
  }

  async #rollUp(day: StaleDay): Promise<void> {
    const start = performance.now();
    await this.#store.rollUp(day);
    const took = performance.now() - start;
    this.#restUntil.set(nameOf(day), start + took + Math.min(REST_FACTOR * took, MAX_REST));
    this.#stale = this.#stale.filter((other) => other !== day);
    this.#observer.rolledUp(day, took);
  }

  #isRested(day: StaleDay): boolean {
    const until = this.#restUntil.get(nameOf(day));
    if (until !== undefined && until > performance.now()) return false;
    this.#restUntil.delete(nameOf(day));
    return true;
  }
}

function nameOf({ project, day }: ProjectDay): string {
  return `${project}/${day}`;
}
