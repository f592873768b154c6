import type { DateJson } from "../gen/google/type/date_pb.js";
import { DAY_MS, HOUR_MS, type UnixMillis } from "./clock.js";

/** A date in America/Los_Angeles, as the number of days since 1970-01-01. */
export type Day = number;

/** A {@link Day} in the Gregorian calendar. */
export interface CivilDate {
  /** Year, 1 to 9999. */
  readonly year: number;
  /** Month, 1 to 12. */
  readonly month: number;
  /** Day of the month, 1 to 31. */
  readonly day: number;
}

/** First and last day that a `google.type.Date` can express with year, month and day: 0001-01-01 and 9999-12-31. */
export const FIRST_DAY: Day = -719_162;
export const LAST_DAY: Day = 2_932_896;

/** Days in a week. */
export const WEEK = 7;
/** Days from a Monday to 1970-01-01. */
const EPOCH_WEEKDAY = 3;

/** Returns the number of days from the last Monday to a day: 0 for a Monday. */
export const weekdayOf = (day: Day): number => (((day + EPOCH_WEEKDAY) % WEEK) + WEEK) % WEEK;

/** Returns the first day of a day's week. */
export const mondayOf = (day: Day): Day => day - weekdayOf(day);

/** A number lower than any day. For example, it is the last sealed day while no day is sealed. */
export const BEFORE_ALL_DAYS: Day = -0x8000_0000;

const OFFSET = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/Los_Angeles",
  timeZoneName: "longOffset",
});

/**
 * Cache of UTC offsets, by hours since the Unix epoch. Each offset is valid for a whole hour: Los Angeles changes its
 * offset at full UTC hours. The only exception, in 1948, was a minute late and far from midnight. The cache has a size
 * limit, because callers choose the times.
 */
const offsets = new Map<number, number>();
const MAX_OFFSETS = 1 << 16;

function readOffset(hour: number): number {
  const parts = OFFSET.formatToParts(hour * HOUR_MS);
  const name = String(parts.find((part) => part.type === "timeZoneName")?.value);
  const match = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name);
  if (match === null)
    throw new Error(`the time zone data contains no offset for America/Los_Angeles: "${name}"`);
  const [, sign, hours, minutes, seconds = "0"] = match;
  const milliseconds = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -milliseconds : milliseconds;
}

function offsetAt(time: UnixMillis): number {
  const hour = Math.floor(time / HOUR_MS);
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  const offset = readOffset(hour);
  if (offsets.size >= MAX_OFFSETS) offsets.clear();
  offsets.set(hour, offset);
  return offset;
}

/** Returns the calendar day in Los Angeles at a time. */
export function dayOf(time: UnixMillis): Day {
  return Math.floor((time + offsetAt(time)) / DAY_MS);
}

/** Returns the first instant of a day. In Los Angeles, no change of the clocks has ever skipped midnight. */
export function startOfDay(day: Day): UnixMillis {
  const guess = day * DAY_MS - offsetAt(day * DAY_MS);
  return day * DAY_MS - offsetAt(guess);
}

export function civilDate(day: Day): CivilDate {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Returns the day for a date in the proleptic Gregorian calendar. */
export function dayOfCivil(year: number, month: number, day: number): Day {
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Returns the same date one year earlier, with February 28 for February 29, and at least the first valid day. */
export function dayYearBefore(day: Day): Day {
  const { year, month, day: dayOfMonth } = civilDate(day);
  if (year === 1) return FIRST_DAY;
  return dayOfCivil(year - 1, month, month === 2 && dayOfMonth === 29 ? 28 : dayOfMonth);
}

/** Parses a date such as `1970-01-31`. Returns `undefined` if the calendar has no such date. */
export function parseDay(text: string): Day | undefined {
  const [, year, month, dayOfMonth] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const day = dayOfCivil(Number(year), Number(month), Number(dayOfMonth));
  return day >= FIRST_DAY && day <= LAST_DAY && formatDay(day) === text ? day : undefined;
}

/** Formats a day in the format that {@link parseDay} reads. */
export function formatDay(day: Day): string {
  const { year, month, day: dayOfMonth } = civilDate(day);
  const padded = (part: number, length: number): string => String(part).padStart(length, "0");
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(dayOfMonth, 2)}`;
}

/** Days from `first` to `last`, both included. */
export interface DayRange {
  readonly first: Day;
  readonly last: Day;
}

/** Returns the preceding range with the same length. */
export const rangeBefore = ({ first, last }: DayRange): DayRange => ({
  first: first - (last - first + 1),
  last: first - 1,
});

/**
 * Returns the last listed day. A day is listed once it has ended in America/Los_Angeles and the settle delay has
 * passed.
 *
 * @param settleDelay in milliseconds.
 */
export function lastListedDay(now: UnixMillis, settleDelay: number): Day {
  return dayOf(now - settleDelay) - 1;
}

/** Returns the time at which a day is first listed. @param settleDelay in milliseconds. */
export const listedSince = (day: Day, settleDelay: number): UnixMillis => startOfDay(day + 1) + settleDelay;

/** Converts a `google.type.Date` to a day. A month or year, as in some mirrored entries, becomes its first day. */
export const dayOfJson = ({ year = 0, month = 1, day = 1 }: DateJson): Day => dayOfCivil(year, month, day);
