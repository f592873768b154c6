import type { ProjectWork } from "../../jobs/project-work.js";
import type { Clock } from "../../model/clock.js";
import { type Day, dayOf, FIRST_DAY, startOfDay } from "../../model/day.js";
import type { RetentionStore } from "../../store/retention-store.js";

/** Retention periods, from the end of a day, in milliseconds. */
export interface Retention {
  /** Time during which days take late events; missing to take them as long as delivery data is kept. */
  readonly messages?: number | undefined;
  /** Time during which delivery data is kept; missing to keep all of it. */
  readonly deliveryData?: number | undefined;
}

/** The days whose time is over. */
export interface ExpiredDays {
  /** Last day that takes no events. */
  readonly sealedUntil: Day;
  /** Last day without delivery data, which also takes no events; missing if all delivery data is kept. */
  readonly entriesUntil?: Day;
}

/**
 * Returns the days whose time is over at `now`, in milliseconds since the Unix epoch. A day without delivery
 * data takes no events either: they would bring part of it back.
 *
 * @returns undefined if everything is kept.
 */
export function expiredAt(now: number, { messages, deliveryData }: Retention): ExpiredDays | undefined {
  const time = timeToSeal({ messages, deliveryData });
  if (time === undefined) return undefined;
  return {
    sealedUntil: lastDayEndedBy(now - time),
    ...(deliveryData !== undefined && { entriesUntil: lastDayEndedBy(now - deliveryData) }),
  };
}

/** Returns the last day without delivery data at `now`; `undefined` if there is none, or `now` is not known. */
export const entriesUntilAt = (now: number | undefined, retention: Retention): Day | undefined =>
  now === undefined ? undefined : expiredAt(now, retention)?.entriesUntil;

/** Returns the time by which days end, in milliseconds since the Unix epoch; `undefined` while it is not known. */
export type RetentionTime = () => Promise<number | undefined>;

/**
 * Returns the time at which what is left of an expired day at `now` was due to be removed: its delivery data
 * if that has expired, since the states of its messages are gone by then; else these states. Both times are
 * in milliseconds since the Unix epoch.
 */
export function expiredSince(day: Day, now: number, retention: Retention): number {
  const end = startOfDay(day + 1);
  const withoutEntries = end + (retention.deliveryData ?? Number.POSITIVE_INFINITY);
  return withoutEntries <= now ? withoutEntries : end + (timeToSeal(retention) ?? Number.POSITIVE_INFINITY);
}

/** Returns the time after which a day takes no events, in milliseconds; undefined if everything is kept. */
export function timeToSeal({ messages, deliveryData }: Retention): number | undefined {
  if (messages === undefined || deliveryData === undefined) return messages ?? deliveryData;
  return Math.min(messages, deliveryData);
}

const lastDayEndedBy = (instant: number): Day =>
  instant < startOfDay(FIRST_DAY) ? FIRST_DAY - 1 : dayOf(instant) - 1;

/** Time by the monotonic clock for which the time of day has to agree with itself, in milliseconds. */
const AGREEMENT_MS = 5 * 60_000;

/**
 * The time by which days end, which nothing undoes: never ahead of a look at the clock some minutes ago and the time that
 * has passed since by the monotonic clock. A clock that is wrong for a moment ends no day.
 */
export class AgreedTime {
  readonly #clock: Clock;
  /** Time of day at the zero of the monotonic clock: the earliest of the looks since {@link #since}, and of those before. */
  #zero = Number.POSITIVE_INFINITY;
  #zeroBefore: number | undefined;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
    this.now();
  }

  /** Looks at the clock. @returns the agreed time, in milliseconds since the Unix epoch; `undefined` in the first minutes. */
  now(): number | undefined {
    const monotonic = this.#clock.monotonic();
    if (monotonic - this.#since >= AGREEMENT_MS) {
      this.#zeroBefore = this.#zero;
      this.#zero = Number.POSITIVE_INFINITY;
      this.#since = monotonic;
    }
    this.#zero = Math.min(this.#zero, this.#clock.wall() - monotonic);
    return this.#zeroBefore === undefined ? undefined : Math.min(this.#zero, this.#zeroBefore) + monotonic;
  }
}

/**
 * The work that ends old days, the oldest first: seals those older than the retention, and removes what need
 * not be kept. Sealing comes with each look for work, since it also applies to days and projects without
 * data.
 */
export const retentionWork = (
  store: RetentionStore,
  retention: Retention,
  time: RetentionTime,
): ProjectWork => ({
  name: "retention",
  dueProjects: async () => {
    const now = await time();
    const expired = now === undefined ? undefined : expiredAt(now, retention);
    if (now === undefined || expired === undefined) return [];
    await store.seal(expired.sealedUntil);
    const projects = await store.expiredProjects(expired.entriesUntil);
    return projects.map(({ project, days, oldest }) => ({
      project,
      days,
      since: expiredSince(oldest, now, retention),
    }));
  },
  dueDays: async ({ project, after, limit }) => {
    const entriesUntil = entriesUntilAt(await time(), retention);
    return store.expiredDays({ project, entriesUntil, after, limit });
  },
  run: async (project, days) => store.removeExpired(project, days, entriesUntilAt(await time(), retention)),
});
