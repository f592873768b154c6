import { DAY_MS } from "../../model/clock.js";
import { at, byteAt } from "../../model/collections.js";
import { type Day, dayOf, dayOfCivil, LAST_DAY, startOfDay } from "../../model/day.js";

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Value of a byte that is not a digit. It is so large that any number with this byte fails its range check. */
const INVALID = 100_000;
/** Value of each byte as a decimal digit. */
const DIGITS = new Int32Array(256).fill(INVALID);
for (let digit = 0; digit < 10; digit++) DIGITS[0x30 + digit] = digit;

const one = (bytes: Uint8Array, at: number): number => DIGITS[bytes[at] ?? 0] ?? INVALID;
const two = (bytes: Uint8Array, at: number): number => 10 * one(bytes, at) + one(bytes, at + 1);

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/**
 * Parses the RFC 3339 timestamp in `bytes[start, end)`, such as `2026-03-08T01:59:59.999-08:00`.
 *
 * @returns milliseconds since the Unix epoch, rounded down; NaN if the bytes are not a timestamp. Leap seconds are
 * invalid, because `google.protobuf.Timestamp` cannot express them.
 */
export function parseEventTime(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 20) return Number.NaN;
  const day = parseDate(bytes, start);
  const hour = two(bytes, start + 11);
  const minute = two(bytes, start + 14);
  const second = two(bytes, start + 17);
  const separators =
    (byteAt(bytes, start + 10) | 0x20) === 0x74 && bytes[start + 13] === 0x3a && bytes[start + 16] === 0x3a;
  if (!separators || !(hour < 24 && minute < 60 && second < 60)) return Number.NaN;

  let next = start + 19;
  let milliseconds = 0;
  if (bytes[next] === 0x2e) {
    let scale = 100;
    let digit = one(bytes, ++next);
    if (digit === INVALID) return Number.NaN;
    for (; next < end && digit !== INVALID; digit = one(bytes, ++next)) {
      milliseconds += scale * digit;
      scale = scale > 1 ? scale / 10 : 0;
    }
  }
  const offset = parseOffset(bytes, next, end);
  return day * DAY_MS + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
}

/** Parses a date such as `2026-03-08` in ten bytes. @returns days since 1970-01-01; NaN if the bytes are not a date. */
export function parseDate(bytes: Uint8Array, start: number): number {
  const year = 100 * two(bytes, start) + two(bytes, start + 2);
  const month = two(bytes, start + 5);
  const day = two(bytes, start + 8);
  const separators = bytes[start + 4] === 0x2d && bytes[start + 7] === 0x2d;
  if (!separators || !(year < INVALID && month >= 1 && month <= 12 && day >= 1)) return Number.NaN;
  if (day > at(DAYS_IN_MONTH, month - 1) || (month === 2 && day === 29 && !isLeap(year))) return Number.NaN;
  return dayOfCivil(year, month, day);
}

/**
 * Returns a UTC offset in minutes, positive to the east. Returns NaN if `bytes[at, end)` is neither `Z` nor `±hh:mm`.
 */
function parseOffset(bytes: Uint8Array, at: number, end: number): number {
  const sign = bytes[at];
  if (sign !== undefined && (sign | 0x20) === 0x7a) return at + 1 === end ? 0 : Number.NaN;
  if ((sign !== 0x2b && sign !== 0x2d) || at + 6 !== end || bytes[at + 3] !== 0x3a) return Number.NaN;
  const hours = two(bytes, at + 1);
  const minutes = two(bytes, at + 4);
  if (!(hours < 24 && minutes < 60)) return Number.NaN;
  return sign === 0x2b ? hours * 60 + minutes : -(hours * 60 + minutes);
}

/** Which days imports accept. The last accepted day moves with the clock. */
export interface AcceptedDays {
  readonly from: Day;
  /** Number of accepted days after today. More than 0, because the clocks of producers differ. */
  readonly ahead: number;
}

/** The days that imports accept at one time, and their first and last instant. */
export interface AcceptedRange {
  readonly first: Day;
  readonly last: Day;
  /** First instant of the first day, in milliseconds since the Unix epoch. */
  readonly start: number;
  /** First instant after the last accepted day, in milliseconds since the Unix epoch. */
  readonly end: number;
}

/** Returns the days that imports accept at a time. @param now milliseconds since the Unix epoch. */
export function acceptedAt(now: number, { from, ahead }: AcceptedDays): AcceptedRange {
  const last = Math.min(dayOf(now) + ahead, LAST_DAY);
  return { first: from, last, start: startOfDay(from), end: startOfDay(last + 1) };
}
