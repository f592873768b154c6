import { dayOfCivil } from "../../model/day.js";

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

function digits(bytes: Uint8Array, start: number, count: number): number {
  let value = 0;
  for (let i = start; i < start + count; i++) {
    const digit = (bytes[i] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/**
 * Parses an RFC 3339 timestamp, such as `2026-03-08T01:59:59.999-08:00`, in `bytes[start, end)`.
 *
 * @returns milliseconds since the Unix epoch, without finer fractions; NaN if the text is not a timestamp.
 * Leap seconds are not accepted: `google.protobuf.Timestamp` cannot represent them.
 */
export function parseEventTime(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 20) return Number.NaN;
  const year = digits(bytes, start, 4);
  const month = digits(bytes, start + 5, 2);
  const day = digits(bytes, start + 8, 2);
  const hour = digits(bytes, start + 11, 2);
  const minute = digits(bytes, start + 14, 2);
  const second = digits(bytes, start + 17, 2);
  const separators =
    bytes[start + 4] === 0x2d &&
    bytes[start + 7] === 0x2d &&
    ((bytes[start + 10] ?? 0) | 0x20) === 0x74 &&
    bytes[start + 13] === 0x3a &&
    bytes[start + 16] === 0x3a;
  if (!separators || !(year >= 0 && month >= 1 && month <= 12 && day >= 1)) return Number.NaN;
  if (day > (DAYS_IN_MONTH[month - 1] ?? 0) || (month === 2 && day === 29 && !isLeap(year)))
    return Number.NaN;
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN;

  let at = start + 19;
  let milliseconds = 0;
  if (bytes[at] === 0x2e) {
    let scale = 100;
    let digit = digits(bytes, ++at, 1);
    if (Number.isNaN(digit)) return Number.NaN;
    for (; at < end && !Number.isNaN(digit); digit = digits(bytes, ++at, 1)) {
      milliseconds += scale * digit;
      scale = scale > 1 ? scale / 10 : 0;
    }
  }
  const offset = parseOffset(bytes, at, end);
  return (
    dayOfCivil(year, month, day) * 86_400_000 +
    ((hour * 60 + minute - offset) * 60 + second) * 1000 +
    milliseconds
  );
}

/** Returns the offset in minutes east of UTC; NaN if `bytes[at, end)` is neither `Z` nor `±hh:mm`. */
function parseOffset(bytes: Uint8Array, at: number, end: number): number {
  const sign = bytes[at];
  if (sign !== undefined && (sign | 0x20) === 0x7a) return at + 1 === end ? 0 : Number.NaN;
  if ((sign !== 0x2b && sign !== 0x2d) || at + 6 !== end || bytes[at + 3] !== 0x3a) return Number.NaN;
  const hours = digits(bytes, at + 1, 2);
  const minutes = digits(bytes, at + 4, 2);
  if (!(hours < 24 && minutes < 60)) return Number.NaN;
  return sign === 0x2b ? hours * 60 + minutes : -(hours * 60 + minutes);
}
