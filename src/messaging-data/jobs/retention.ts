import type { ProjectWork } from "../../jobs/project-work.js";
import type { Clock } from "../../model/clock.js";
import { type Day, dayOf, FIRST_DAY, startOfDay } from "../../model/day.js";
import type { RetentionStore } from "../../store/retention-store.js";

/** Retention periods in milliseconds, counted from when a day ends. */
export interface Retention {
  /** Time for which days accept late events. If omitted, days accept events as long as their delivery data is kept. */
  readonly messages?: number | undefined;
  /** Time for which delivery data is kept. If omitted, it is kept forever. */
  readonly deliveryData?: number | undefined;
}

/** The last day of each kind of expired data. */
export interface ExpiredDays {
  /** The last day that no longer accepts events. */
  readonly sealedUntil: Day;
  /**
   * The last day without delivery data. Omitted if all delivery data is kept. Days up to this day do not accept events
   * either.
   */
  readonly entriesUntil?: Day;
}

/**
 * Returns the expired days. A day without delivery data does not accept events, because they would restore a part of
 * its data.
 *
 * @param now milliseconds since the Unix epoch.
 * @returns `undefined` if everything is kept.
 */
export function expiredAt(now: number, retention: Retention): ExpiredDays | undefined {
  const { deliveryData } = retention;
  const time = timeToSeal(retention);
  if (time === undefined) return undefined;
  return {
    sealedUntil: lastDayEndedBy(now - time),
    ...(deliveryData !== undefined && { entriesUntil: lastDayEndedBy(now - deliveryData) }),
  };
}

/**
 * Returns the last day without delivery data. Returns `undefined` if all delivery data is kept, or `now` is unknown.
 */
export const entriesUntilAt = (now: number | undefined, retention: Retention): Day | undefined =>
  now === undefined ? undefined : expiredAt(now, retention)?.entriesUntil;

/**
 * Returns the time for deciding which days have expired, in milliseconds since the Unix epoch. Returns `undefined`
 * while this time is unknown.
 */
export type RetentionTime = () => Promise<number | undefined>;

/**
 * Returns the time at which an expired day's remaining data became due for removal, in milliseconds since the Unix
 * epoch. If the delivery data has expired, this is when it expired, because message states are removed earlier.
 * Otherwise, it is when the message states expired.
 *
 * @param now milliseconds since the Unix epoch.
 */
export function expiredSince(day: Day, now: number, retention: Retention): number {
  const end = startOfDay(day + 1);
  const withoutEntries = end + (retention.deliveryData ?? Number.POSITIVE_INFINITY);
  return withoutEntries <= now ? withoutEntries : end + (timeToSeal(retention) ?? Number.POSITIVE_INFINITY);
}

/**
 * Returns the time from when a day ends until it no longer accepts events, in milliseconds. Returns `undefined` if
 * everything is kept.
 */
export function timeToSeal({ messages, deliveryData }: Retention): number | undefined {
  if (messages === undefined || deliveryData === undefined) return messages ?? deliveryData;
  return Math.min(messages, deliveryData);
}

const lastDayEndedBy = (instant: number): Day =>
  instant < startOfDay(FIRST_DAY) ? FIRST_DAY - 1 : dayOf(instant) - 1;

/** Time for which the wall clock must agree with the monotonic clock, in milliseconds. */
const AGREEMENT_MS = 5 * 60_000;

/**
 * Time for deciding which days have expired. Because removed days cannot be restored, this time is never later than a
 * reading of the wall clock some minutes ago plus the monotonic time since then. If the clock is wrong for a short
 * time, no day expires.
 */
export class AgreedTime {
  readonly #clock: Clock;
  /**
   * Earliest wall time at which the monotonic clock was zero, according to the readings since {@link #since} and in the
   * period before.
   */
  #zero = Number.POSITIVE_INFINITY;
  #zeroBefore: number | undefined;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
    this.now();
  }

  /**
   * Reads both clocks.
   *
   * @returns the agreed time, in milliseconds since the Unix epoch; `undefined` in the first minutes.
   */
  now(): number | undefined {
    const monotonic = this.#clock.monotonic();
    if (monotonic - this.#since >= AGREEMENT_MS) {
      this.#zeroBefore = this.#zero;
      this.#zero = Number.POSITIVE_INFINITY;
      this.#since = monotonic;
    }
    this.#zero = Math.min(this.#zero, this.#clock.wall() - monotonic);
    if (this.#zeroBefore === undefined) return undefined;
    return Math.floor(Math.min(this.#zero, this.#zeroBefore) + monotonic);
  }
}

/**
 * Creates background work that seals days after their retention, and removes expired data, oldest first. It seals days
 * before it looks for projects, because days without data must be sealed, too.
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
