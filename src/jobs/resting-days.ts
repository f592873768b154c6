import type { Day } from "../model/day.js";

/**
 * Ratio of a day's rest to the time that the work on it took, which limits work on a day that changes all the
 * time to a fifth of the time.
 */
const REST_FACTOR = 4;
/** Maximum rest after work that was done, unless a job allows for longer ones, in milliseconds. */
const MAX_REST = 2_000;
/**
 * Ratio of a day's rest in a busy project to the time that the work on all its days took since this one's
 * slot, which limits work on the project to a tenth of the time. A day without a slot yet rests like the day
 * that had the last one: otherwise an import of many days would give each new day a slot at once.
 */
const BUSY_REST_FACTOR = 9;
/** Longest rest in a busy project, in milliseconds. */
const MAX_BUSY_REST = 60_000;
const FIRST_RETRY = 1_000;
const MAX_RETRY = 30_000;
/** Longest rest after a failure that took long, in milliseconds. */
const MAX_LONG_RETRY = 600_000;

interface Rest {
  readonly until: number;
  /** End of the rest while the project is busy. */
  readonly busyUntil: number;
  /** Time that the work on the project took until this rest, in milliseconds. */
  readonly worked: number;
  /** Rest after the next failure, in milliseconds; missing if the last work succeeded. */
  readonly retry?: number;
}

/** The work on a project so far. */
interface Work {
  /** Time that it has taken, in milliseconds. */
  readonly took: number;
  /** End of the rest of the days without a slot yet, while the project is busy. */
  readonly busyUntil: number;
}

/** Days that have to wait after recent work on them, done or failed. */
export class RestingDays {
  readonly #maxRest: number;
  readonly #rests = new Map<string, Rest>();
  readonly #work = new Map<string, Work>();

  /** @param maxRest longest rest after work that was done, in milliseconds. */
  constructor(maxRest = MAX_REST) {
    this.#maxRest = maxRest;
  }

  /**
   * Returns when a day may run again, by the monotonic clock; `undefined` if it may run now.
   *
   * @param isBusy true if new work for the project keeps arriving.
   */
  restUntil(project: string, day: Day, now: number, isBusy = false): number | undefined {
    const rest =
      this.#rests.get(nameOf(project, day)) ?? (isBusy ? this.#firstRest(project, day, now) : undefined);
    const until = isBusy ? rest?.busyUntil : rest?.until;
    return until !== undefined && until > now ? until : undefined;
  }

  /** Returns true if a day rests after work that was done. */
  isAnyResting(now: number): boolean {
    return [...this.#rests.values()].some(({ until, retry }) => retry === undefined && until > now);
  }

  /** @param took time that the work on these days took until now, in milliseconds. */
  succeeded(project: string, days: readonly Day[], now: number, took: number): void {
    const before = this.#work.get(project)?.took ?? 0;
    const worked = before + took;
    let longest = now;
    const until = now + Math.min(REST_FACTOR * took, this.#maxRest);
    for (const day of days) {
      const name = nameOf(project, day);
      const since = worked - (this.#rests.get(name)?.worked ?? before);
      const busyUntil = Math.max(until, now + Math.min(BUSY_REST_FACTOR * since, MAX_BUSY_REST));
      this.#rests.set(name, { until, busyUntil, worked });
      longest = Math.max(longest, busyUntil);
    }
    this.#work.set(project, { took: worked, busyUntil: longest });
  }

  /** Sets the rest of a day of a busy project that had no slot yet; work on other days does not prolong it. */
  #firstRest(project: string, day: Day, now: number): Rest | undefined {
    const work = this.#work.get(project);
    if (work === undefined) return undefined;
    const rest = { until: now, busyUntil: work.busyUntil, worked: work.took };
    this.#rests.set(nameOf(project, day), rest);
    return rest;
  }

  /**
   * Makes a day wait after work on it alone failed, longer each time, and in proportion to the work. An outage of the
   * store is not the day's fault: it waits a second, so that it is done soon after the outage.
   *
   * @param failure the time that the work took, in milliseconds, and whether the store was away.
   */
  failed(project: string, day: Day, now: number, { took = 0, isOutage = false } = {}): void {
    const name = nameOf(project, day);
    const next = this.#rests.get(name)?.retry ?? FIRST_RETRY;
    const rest = isOutage ? FIRST_RETRY : Math.max(next, Math.min(REST_FACTOR * took, MAX_LONG_RETRY));
    const until = now + rest;
    const retry = isOutage ? next : Math.min(2 * next, MAX_RETRY);
    const worked = this.#work.get(project)?.took ?? 0;
    this.#rests.set(name, { until, busyUntil: until, worked, retry });
  }

  /** Ends all rests. */
  clear(): void {
    this.#rests.clear();
    this.#work.clear();
  }

  /** Forgets days some time after they have rested, when it no longer matters what happened before. */
  forgetRested(now: number): void {
    for (const [name, { busyUntil, retry }] of this.#rests) {
      if (busyUntil + (retry === undefined ? MAX_BUSY_REST : MAX_RETRY) <= now) this.#rests.delete(name);
    }
    if (this.#rests.size === 0) this.#work.clear();
  }
}

const nameOf = (project: string, day: Day): string => `${project}/${day}`;
