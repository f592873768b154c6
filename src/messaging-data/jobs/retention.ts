import type { ProjectWork } from "../../jobs/project-work.js";
import type { Clock } from "../../model/clock.js";
import { type Day, dayOf, FIRST_DAY, startOfDay } from "../../model/day.js";
import type { RetentionStore } from "../../store/retention-store.js";

/** Retention periods in milliseconds, counted from when a day ends. */
export interface Retention {
  /** Time during which days accept late events. If omitted, they do for as long as delivery data is kept. */
  readonly messages?: number | undefined;
  /** Time during which delivery data is kept. If omitted, all of it is kept. */
  readonly deliveryData?: number | undefined;
}

/** Ranges of expired days. */
export interface ExpiredDays {
  /** Last day that rejects events. */
  readonly sealedUntil: Day;
  /** Last day without delivery data; omitted if all delivery data is kept. Such days reject events too. */
  readonly entriesUntil?: Day;
}

/**
 * Returns the expired days. A day without delivery data rejects events: they would restore part of its data.
 *
 * @param now milliseconds since the Unix epoch.
 * @returns `undefined` if everything is kept.
 */
export function expiredAt(now: number, { messages, deliveryData }: Retention): ExpiredDays | undefined {
  const time = timeToSeal({ messages, deliveryData });
  if (time === undefined) return undefined;
  return {
    sealedUntil: lastDayEndedBy(now - time),
    ...(deliveryData !== undefined && { entriesUntil: lastDayEndedBy(now - deliveryData) }),
  };
}

/** Returns the last day without delivery data; `undefined` if there is none, or `now` is unknown. */
export const entriesUntilAt = (now: number | undefined, retention: Retention): Day | undefined =>
  now === undefined ? undefined : expiredAt(now, retention)?.entriesUntil;

/** Returns the time that decides which days have ended, in milliseconds since the Unix epoch; `undefined` while unknown. */
export type RetentionTime = () => Promise<number | undefined>;

/**
 * Returns when the remaining data of an expired day became due for removal, in milliseconds since the Unix epoch. If the
 * delivery data has expired, that is its expiry: the message states are gone by then. Otherwise it is theirs.
 *
 * @param now milliseconds since the Unix epoch.
 */
export function expiredSince(day: Day, now: number, retention: Retention): number {
  const end = startOfDay(day + 1);
  const withoutEntries = end + (retention.deliveryData ?? Number.POSITIVE_INFINITY);
  return withoutEntries <= now ? withoutEntries : end + (timeToSeal(retention) ?? Number.POSITIVE_INFINITY);
}

/** Returns the time after which a day rejects events, in milliseconds; `undefined` if everything is kept. */
export function timeToSeal({ messages, deliveryData }: Retention): number | undefined {
  if (messages === undefined || deliveryData === undefined) return messages ?? deliveryData;
  return Math.min(messages, deliveryData);
}

const lastDayEndedBy = (instant: number): Day =>
  instant < startOfDay(FIRST_DAY) ? FIRST_DAY - 1 : dayOf(instant) - 1;

/** Time for which the wall clock has to agree with the monotonic clock, in milliseconds. */
const AGREEMENT_MS = 5 * 60_000;

/**
 * The time that decides which days have ended. Removing a day cannot be undone, so this time is never ahead of an earlier
 * reading of the wall clock, minutes ago, plus the monotonic time since. A clock that is briefly wrong ends no day.
 */
export class AgreedTime {
  readonly #clock: Clock;
  /** Earliest wall time of monotonic zero, by the readings since {@link #since}, and in the period before. */
  #zero = Number.POSITIVE_INFINITY;
  #zeroBefore: number | undefined;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
    this.now();
  }

  /** Reads the clock. @returns the agreed time, in milliseconds since the Unix epoch; `undefined` in the first minutes. */
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
 * Seals days older than the retention and removes expired data, the oldest first. It seals whenever it looks for due
 * projects, because days and projects without data are sealed too.
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
