import type { MessageEventStore, ProjectDay, StaleDay } from "../../store/message-event-store.js";

/** Milliseconds without another notice before a round starts, so that imports that come together share a rollup. */
const QUIET = 250;
/** Milliseconds from a notice to its round at most, however many others follow. */
const MAX_GATHERING = 1_000;
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
  /** Until when each day rests whose rollup was done or has failed lately, by the monotonic clock. */
  readonly #restUntil = new Map<string, number>();
  /** Milliseconds that each day whose rollup has failed rests when it fails once more. */
  readonly #retries = new Map<string, number>();
  #stale: readonly StaleDay[] = [];
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  /** When the first notice came that no round has followed, by the monotonic clock. */
  #noticedAt: number | undefined;
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
    this.#noticedAt ??= performance.now();
    if (this.#round === undefined) this.#schedule();
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

  /** Rolls up what is stale and has rested; returns the milliseconds until there is more to do. */
  async #runRound(): Promise<number> {
    this.#noticedAt = undefined;
    try {
      this.#stale = await this.#store.staleDays();
    } catch (error) {
      this.#observer.failed(undefined, error);
      return FIRST_RETRY;
    }
    this.#forgetRested();
    for (const day of this.#stale) {
      if (this.#stopped) break;
      if (!this.#restUntil.has(nameOf(day))) await this.#rollUp(day);
    }
    const now = performance.now();
    return this.#stale.reduce(
      (least, day) => Math.min(least, (this.#restUntil.get(nameOf(day)) ?? now) - now),
      POLL_INTERVAL,
    );
  }

  /** Lets the day rest afterwards; one that fails is no obstacle to the others. */
  async #rollUp(day: StaleDay): Promise<void> {
    const name = nameOf(day);
    const start = performance.now();
    try {
      await this.#store.rollUp(day);
      const took = performance.now() - start;
      this.#restUntil.set(name, start + took + Math.min(REST_FACTOR * took, MAX_REST));
      this.#retries.delete(name);
      this.#stale = this.#stale.filter((other) => other !== day);
      this.#observer.rolledUp(day, took);
    } catch (error) {
      const retry = this.#retries.get(name) ?? FIRST_RETRY;
      this.#restUntil.set(name, performance.now() + retry);
      this.#retries.set(name, Math.min(2 * retry, MAX_RETRY));
      this.#observer.failed(day, error);
    }
  }

  #forgetRested(): void {
    const now = performance.now();
    for (const [name, until] of this.#restUntil) if (until <= now) this.#restUntil.delete(name);
  }
}

function nameOf({ project, day }: ProjectDay): string {
  return `${project}/${day}`;
}
