// Values of fields: names and times. The host, `event-scanner.ts` in the folder above, knows the names and dates. A cache
// saves most calls of it.

/** Kinds of names. Each has its own numbers. */
export enum Kind {
  APP,
  LABEL,
  EVENT_TYPE,
  /** Dates such as 2026-03-08. Their numbers are days since 1970-01-01. */
  DATE,
  /** Apps and labels that are only checked. All valid ones have the number 0. */
  CHECKED_APP,
  CHECKED_LABEL,
}

/** Number of kinds. */
const KINDS: i32 = 6;

/** Returns the number for the name at [start, end) in the memory, or `i32.MIN_VALUE` if the name is invalid. */
export declare function numberOf(kind: Kind, start: usize, end: usize): i32;

/** Returns the first instant of a day in America/Los_Angeles, in milliseconds since the Unix epoch. */
export declare function startOfDay(day: i32): f64;

/** Slots for each kind. */
const SLOTS: i32 = 1024;
const SLOT_BITS: u64 = 10;
/** A slot has the last name with its hash: address, length and number, as words. */
const SLOT_BYTES: i32 = 16;
const cache: usize = memory.data(KINDS * SLOTS * SLOT_BYTES, 16);

const WORD: usize = 8;

export const INVALID: i32 = i32.MIN_VALUE;

/** Removes all names from the cache. */
export function clearNames(): void {
  memory.fill(cache, 0, KINDS * SLOTS * SLOT_BYTES);
}

/**
 * Returns the number for the name at [start, end), or {@link INVALID}. If several names share a slot, lookups are slower
 * but still correct.
 */
export function numberOfName(kind: Kind, start: usize, end: usize): i32 {
  const size = end - start;
  if (size === 0) return INVALID;
  // If a name has less than eight bytes, the bytes around it are part of the hash.
  const word = load<u64>(end - WORD) ^ rotl(load<u64>(start), 21) ^ size;
  const hash = (word ^ (word >>> 32)) * 0x9e3779b97f4a7;
  const index = <i32>(hash >>> (64 - SLOT_BITS));
  const slot = cache + (kind * SLOTS + index) * SLOT_BYTES;
  if (load<u32>(slot, 4) === <u32>size && isSame(load<u32>(slot), start, size)) return load<i32>(slot, 8);
  const number = numberOf(kind, start, end);
  if (number !== INVALID) {
    store<u32>(slot, <u32>start);
    store<u32>(slot, <u32>size, 4);
    store<i32>(slot, number, 8);
  }
  return number;
}

/** Compares bytes from the end, because names usually differ there. */
export function isSame(a: usize, b: usize, size: usize): bool {
  let left = size;
  for (; left >= WORD; left -= WORD) {
    if (load<u64>(a + left - WORD) !== load<u64>(b + left - WORD)) return false;
  }
  while (left > 0) {
    left--;
    if (load<u8>(a + left) !== load<u8>(b + left)) return false;
  }
  return true;
}

const PLUS: u8 = 0x2b;
const MINUS: u8 = 0x2d;
const DOT: u8 = 0x2e;
const COLON: u8 = 0x3a;
const LOWER_T: u8 = 0x74;
const LOWER_Z: u8 = 0x7a;
/** Changes an upper-case letter to lower case. */
const LOWER_CASE: u8 = 0x20;

const DAY_MS: f64 = 86_400_000;
/** First instants of days. A slot has an instant, and 8 bytes later its day plus {@link DAY_BIAS}. */
const DAY_SLOTS: i32 = 64;
const DAY_BYTES: i32 = 16;
const DAY_BIAS: i32 = 1 << 24;
const dayStarts: usize = memory.data(DAY_SLOTS * DAY_BYTES, 8);

/** Returns the day in Los Angeles at a time. Each day begins there after it has begun in UTC, and before it ends in UTC. */
export function dayOf(time: f64): i32 {
  const day = <i32>floor(time / DAY_MS);
  return time < startOf(day) ? day - 1 : day;
}

/** Returns the first instant of a day in Los Angeles, in milliseconds since the Unix epoch. */
export function startOf(day: i32): f64 {
  const slot = dayStarts + (day & (DAY_SLOTS - 1)) * DAY_BYTES;
  if (load<i32>(slot, 8) !== day + DAY_BIAS) {
    store<f64>(slot, startOfDay(day));
    store<i32>(slot, day + DAY_BIAS, 8);
  }
  return load<f64>(slot);
}

/**
 * Reads the RFC 3339 timestamp at [start, end), like `parseEventTime`. Returns milliseconds since the Unix epoch, or NaN if
 * it is invalid.
 */
export function instantOf(start: usize, end: usize): f64 {
  if (end - start < 20) return NaN;
  const hour = twoDigits(start + 11);
  const minute = twoDigits(start + 14);
  const second = twoDigits(start + 17);
  const hasSeparators =
    (load<u8>(start, 10) | LOWER_CASE) === LOWER_T &&
    load<u8>(start, 13) === COLON &&
    load<u8>(start, 16) === COLON;
  if (!hasSeparators || hour > 23 || minute > 59 || second > 59) return NaN;
  let at = start + 19;
  let millisecond = 0;
  if (load<u8>(at) === DOT) {
    const first = ++at;
    for (let scale = 100; isDigit(at); scale /= 10) millisecond += scale * (load<u8>(at++) - 0x30);
    if (at === first) return NaN;
  }
  let offset = 0;
  const sign = load<u8>(at);
  if ((sign | LOWER_CASE) !== LOWER_Z || at + 1 !== end) {
    const hours = twoDigits(at + 1);
    const minutes = twoDigits(at + 4);
    const isOffset = (sign === PLUS || sign === MINUS) && at + 6 === end && load<u8>(at, 3) === COLON;
    if (!isOffset || hours > 23 || minutes > 59) return NaN;
    offset = sign === PLUS ? 60 * hours + minutes : -(60 * hours + minutes);
  }
  const day = numberOfName(Kind.DATE, start, start + 10);
  if (day === INVALID) return NaN;
  return <f64>day * DAY_MS + <f64>(((60 * hour + minute - offset) * 60 + second) * 1000 + millisecond);
}

function isDigit(at: usize): bool {
  return load<u8>(at) - 0x30 <= 9;
}

/** Returns a number with two digits, or a number above 99. */
function twoDigits(at: usize): i32 {
  return isDigit(at) && isDigit(at + 1) ? 10 * (load<u8>(at) - 0x30) + load<u8>(at, 1) - 0x30 : 100;
}
