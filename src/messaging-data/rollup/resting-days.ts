import type { Day } from "../../model/day.js";

/** A day rests this many times as long as its rollup took, so that rollups of a busy day take a tenth of the time. */
const REST_FACTOR = 9;
/** Milliseconds. */
const MAX_REST = 10_000;
const FIRST_RETRY = 1_000;
const MAX_RETRY = 30_000;

interface Rest {
  readonly until: number;
  /** How long the day rests if it fails once more; left out if it has not failed. */
  readonly retry?: number;
}

/** The days that are left alone for a while, since their rollup was done or has failed lately. */
export class RestingDays {
  readonly #rests = new Map<string, Rest>();

  /** Until when a day rests, by the monotonic clock; undefined if it does not. */
  restUntil(project: string, day: Day, now: number): number | undefined {
    const until = this.#rests.get(nameOf(project, day))?.until;
    return until !== undefined && until > now ? until : undefined;
  }

  /** @param took milliseconds that the rollup of these days took, which has ended now. */
  succeeded(project: string, days: readonly Day[], now: number, took: number): void {
    const until = now + Math.min(REST_FACTOR * took, MAX_REST);
    for (const day of days) this.#rests.set(nameOf(project, day), { until });
  }

  /** Lets a day rest that has failed by itself, longer each time. */
  failed(project: string, day: Day, now: number): void {
    const name = nameOf(project, day);
    const retry = this.#rests.get(name)?.retry ?? FIRST_RETRY;
    this.#rests.set(name, { until: now + retry, retry: Math.min(2 * retry, MAX_RETRY) });
  }

  /** Forgets days that have rested; those that have failed once they have had the time to fail again. */
  forgetRested(now: number): void {
    for (const [name, { until, retry }] of this.#rests) {
      if (until + (retry === undefined ? 0 : MAX_RETRY) <= now) this.#rests.delete(name);
    }
  }
}

const nameOf = (project: string, day: Day): string => `${project}/${day}`;
