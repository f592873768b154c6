import type { Day } from "../../model/day.js";

/**
 * Ratio of a day's rest to the time that the work on it took, which limits work on a busy day to a fifth of
 * the time.
 */
const REST_FACTOR = 4;
/** Longest rest after work that was done, in milliseconds. */
const MAX_REST = 2_000;
const FIRST_RETRY = 1_000;
const MAX_RETRY = 30_000;

interface Rest {
  readonly until: number;
  /** Rest after the next failure, in milliseconds; missing if the last work succeeded. */
  readonly retry?: number;
}

/** Days that have to wait after recent work on them, done or failed. */
export class RestingDays {
  readonly #rests = new Map<string, Rest>();

  /** Returns when a day may run again, by the monotonic clock; `undefined` if it may run now. */
  restUntil(project: string, day: Day, now: number): number | undefined {
    const until = this.#rests.get(nameOf(project, day))?.until;
    return until !== undefined && until > now ? until : undefined;
  }

  /** @param took time that the work on these days took until now, in milliseconds. */
  succeeded(project: string, days: readonly Day[], now: number, took: number): void {
    const until = now + Math.min(REST_FACTOR * took, MAX_REST);
    for (const day of days) this.#rests.set(nameOf(project, day), { until });
  }

  /** Makes a day wait after work on it alone failed, longer each time. */
  failed(project: string, day: Day, now: number): void {
    const name = nameOf(project, day);
    const retry = this.#rests.get(name)?.retry ?? FIRST_RETRY;
    this.#rests.set(name, { until: now + retry, retry: Math.min(2 * retry, MAX_RETRY) });
  }

  /** Forgets days that have rested; failed ones only after enough time to fail again. */
  forgetRested(now: number): void {
    for (const [name, { until, retry }] of this.#rests) {
      if (until + (retry === undefined ? 0 : MAX_RETRY) <= now) this.#rests.delete(name);
    }
  }
}

const nameOf = (project: string, day: Day): string => `${project}/${day}`;
