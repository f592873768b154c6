import { type Day, dayOf, FIRST_DAY, startOfDay } from "../../model/day.js";

/** Periods of a retention, from the end of a day, in milliseconds. */
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
