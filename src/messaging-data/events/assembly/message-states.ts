// Merges events into partial message states, as `StateColumns` in `store/state-block.ts` defines them.
import { isSame } from "./field-values";

/** Marks an absent value. It is larger than any time or rank. */
const NONE: u32 = 0xffffffff;
const PAGE_BYTES: usize = 0x10000;

/** Number of events, and its maximum. */
export let events: i32 = 0;
let maxEvents: i32 = 0;
/** Addresses of the events' columns. Each value has four bytes. */
export let eventApp: usize = 0;
export let eventLabel: usize = 0;
export let eventDay: usize = 0;
export let eventLine: usize = 0;

/** Number of states. */
export let states: i32 = 0;
/** Addresses of the states' columns. Each value has four bytes; of a key's halves eight, of `notification` one. */
export let app: usize = 0;
export let day: usize = 0;
export let keyHigh: usize = 0;
export let keyLow: usize = 0;
export let acceptedAt: usize = 0;
export let label: usize = 0;
export let notification: usize = 0;
export let outcome: usize = 0;
export let proxy: usize = 0;
export let seen: usize = 0;

/** Number of the event type ACCEPTED. */
export let acceptedType: i32 = 0;
/** Sets of event types. Bit n represents event type n. */
let outcomeTypes: u32 = 0;
let proxyTypes: u32 = 0;

/**
 * Address of a hash table from a key's last bits to the latest state with these bits, as its index plus 1. If two messages
 * share a slot, the later one replaces the earlier one, which gets an additional state for its next event. Adding an event
 * is therefore equally fast for all keys. This matters because clients control the keys.
 */
let latest: usize = 0;
let latestMask: u32 = 0;

/** Sets the number of ACCEPTED, the types of outcomes, and the types of proxy results. */
export function setTypes(accepted: i32, outcomes: u32, proxies: u32): void {
  acceptedType = accepted;
  outcomeTypes = outcomes;
  proxyTypes = proxies;
}

/** Removes all events and apps, and makes room for at most `capacity` events behind an address. */
export function openStates(after: usize, capacity: i32): void {
  const words = (<usize>capacity * 4 + 7) & ~7;
  seeds = (after + 7) & ~7;
  eventApp = seeds + SEED_BYTES * <usize>capacity;
  eventLabel = eventApp + words;
  eventDay = eventLabel + words;
  eventLine = eventDay + words;
  app = eventLine + words;
  day = app + words;
  keyHigh = day + words;
  keyLow = keyHigh + 2 * words;
  acceptedAt = keyLow + 2 * words;
  label = acceptedAt + words;
  outcome = label + words;
  proxy = outcome + words;
  seen = proxy + words;
  notification = seen + words;
  latest = notification + words;
  let slots: u32 = 1;
  while (slots < 2 * <u32>capacity) slots <<= 1;
  latestMask = slots - 1;
  const size = <usize>slots * 4;
  const pages = <i32>((latest + size + PAGE_BYTES - 1) / PAGE_BYTES);
  if (pages > memory.size() && memory.grow(pages - memory.size()) < 0) unreachable();
  memory.fill(latest, 0, size);
  events = 0;
  maxEvents = capacity;
  states = 0;
  clearLast();
}

/**
 * Adds an event. Usually, a message has one state per day. An additional ACCEPTED event always needs an additional state.
 *
 * @param idStart address of the message id, which ends at `idEnd`.
 * @param millisecond time since the day began.
 * @param labelNumber number of the label. Only ACCEPTED events have a label and a notification; pass 0 for all others.
 * @param line number of the line.
 */
export function addEvent(
  appNumber: i32,
  idStart: usize,
  idEnd: usize,
  dayNumber: i32,
  millisecond: u32,
  type: i32,
  labelNumber: i32,
  hasNotification: bool,
  line: i32,
): void {
  // The columns end here.
  if (events === maxEvents) unreachable();
  const row = <usize>events * 4;
  events++;
  store<i32>(eventApp + row, appNumber);
  store<i32>(eventLabel + row, labelNumber);
  store<i32>(eventDay + row, dayNumber);
  store<i32>(eventLine + row, line);
  const isAccepted = type === acceptedType;
  const state = stateOf(keyOf(appNumber, idStart, idEnd), dayNumber, isAccepted);
  store<i32>(app + 4 * state, appNumber);
  if (isAccepted) {
    store<u32>(acceptedAt + 4 * state, millisecond);
    store<i32>(label + 4 * state, labelNumber);
    store<u8>(notification + state, hasNotification ? 1 : 0);
  }
  const bit: u32 = 1 << type;
  const rank = 32 * millisecond + type;
  if ((bit & outcomeTypes) !== 0) lower(outcome + 4 * state, rank);
  if ((bit & proxyTypes) !== 0) lower(proxy + 4 * state, rank);
  store<u32>(seen + 4 * state, load<u32>(seen + 4 * state) | bit);
}

function lower(at: usize, rank: u32): void {
  if (rank < load<u32>(at)) store<u32>(at, rank);
}

/**
 * Returns a state's index by its key, like `StateMerger` in `store/state-merger.ts`. Adds a state if none is found, or if both the found state and the new event are
 * ACCEPTED.
 */
function stateOf(key: usize, dayNumber: i32, isAccepted: bool): usize {
  const high = load<u64>(key);
  const low = load<u64>(key, 8);
  const slot = latest + 4 * <usize>(<u32>low & latestMask);
  const known = load<u32>(slot);
  if (known > 0) {
    const state = <usize>(known - 1);
    if (
      load<u64>(keyHigh + 8 * state) === high &&
      load<u64>(keyLow + 8 * state) === low &&
      load<i32>(day + 4 * state) === dayNumber &&
      !(isAccepted && load<u32>(acceptedAt + 4 * state) !== NONE)
    ) {
      return state;
    }
  }
  const state = <usize>states;
  states++;
  store<u32>(slot, states);
  store<i32>(day + 4 * state, dayNumber);
  store<u64>(keyHigh + 8 * state, high);
  store<u64>(keyLow + 8 * state, low);
  store<u32>(acceptedAt + 4 * state, NONE);
  store<i32>(label + 4 * state, 0);
  store<u8>(notification + state, 0);
  store<u32>(outcome + 4 * state, NONE);
  store<u32>(proxy + 4 * state, NONE);
  store<u32>(seen + 4 * state, 0);
  return state;
}

// Keys of messages are 128-bit digests of app id and message id, because rollups only need to know whether two ids are
// equal. A digest consists of two 64-bit HalfSipHash-2-4 digests with independent keys (J.-P. Aumasson, D. J. Bernstein:
// "SipHash: a fast short-input PRF", 32-bit variant). With a billion messages a day, the collision probability is below
// 10⁻²⁰. The keys are constant, so that a message has the same digest in every process and store.
const KEY_0: u32 = 0x57617962;
const KEY_1: u32 = 0x696c6c2d;
const KEY_2: u32 = 0x6d657373;
const KEY_3: u32 = 0x61676573;

/** Key for the hash of app ids, in two words. It differs from the keys for message ids. */
const APP_KEY_0: u32 = 0x61707049;
const APP_KEY_1: u32 = 0x64000001;

/** Key of the last message: the upper half, then the lower half. */
const lastKey: usize = memory.data(16, 8);
/** Address of the apps' seeds. Each has 16 bytes, and uses 8. */
let seeds: usize = 0;
/** Message of the last key. Events of one message often follow each other. */
let lastApp: i32 = -1;
let lastStart: usize = 0;
let lastEnd: usize = 0;

const SEED_BYTES: usize = 16;

/** Clears the last message, because its id will be overwritten. */
export function clearLast(): void {
  lastApp = -1;
}

/** Adds an app with the next number. Its id is at [start, end). */
export function addApp(appNumber: i32, start: usize, end: usize): void {
  hash(start, end, APP_KEY_0, APP_KEY_1, APP_KEY_0, APP_KEY_1, seeds + SEED_BYTES * <usize>appNumber);
}

/** Returns a key's address, which is valid until the next call. The message id is at [start, end). */
function keyOf(appNumber: i32, start: usize, end: usize): usize {
  if (appNumber === lastApp && end - start === lastEnd - lastStart && isSame(start, lastStart, end - start))
    return lastKey;
  lastApp = appNumber;
  lastStart = start;
  lastEnd = end;
  const seed = seeds + SEED_BYTES * <usize>appNumber;
  const seed0 = load<u32>(seed);
  const seed1 = load<u32>(seed, 4);
  hash(start, end, KEY_0 ^ seed0, KEY_1 ^ seed1, KEY_2 ^ seed1, KEY_3 ^ seed0, lastKey);
  return lastKey;
}

/**
 * Computes HalfSipHash-2-4 with 64 bits of output, under the keys (k0, k1) and (l0, l1). Writes both outputs, each as a
 * lower and an upper word. One step of the loop is two rounds: there is a step for each word of input, and two steps for
 * each half of the output. The two computations are independent, so that the processor can run them in parallel.
 */
export function hash(start: usize, end: usize, k0: u32, k1: u32, l0: u32, l1: u32, out: usize): void {
  let v0 = k0;
  let v1 = k1 ^ 0xee;
  let v2 = k0 ^ 0x6c796765;
  let v3 = k1 ^ 0x74656462;
  let w0 = l0;
  let w1 = l1 ^ 0xee;
  let w2 = l0 ^ 0x6c796765;
  let w3 = l1 ^ 0x74656462;
  const size = end - start;
  const last = size >>> 2;
  for (let step: usize = 0; step <= last + 4; step++) {
    let word: u32 = 0;
    if (step < last) word = load<u32>(start + 4 * step);
    else if (step === last) word = lastWord(start, end);
    v3 ^= word;
    w3 ^= word;
    for (let round = 0; round < 2; round++) {
      v0 += v1;
      w0 += w1;
      v1 = rotl(v1, 5) ^ v0;
      w1 = rotl(w1, 5) ^ w0;
      v0 = rotl(v0, 16);
      w0 = rotl(w0, 16);
      v2 += v3;
      w2 += w3;
      v3 = rotl(v3, 8) ^ v2;
      w3 = rotl(w3, 8) ^ w2;
      v0 += v3;
      w0 += w3;
      v3 = rotl(v3, 7) ^ v0;
      w3 = rotl(w3, 7) ^ w0;
      v2 += v1;
      w2 += w1;
      v1 = rotl(v1, 13) ^ v2;
      w1 = rotl(w1, 13) ^ w2;
      v2 = rotl(v2, 16);
      w2 = rotl(w2, 16);
    }
    v0 ^= word;
    w0 ^= word;
    if (step === last) {
      v2 ^= 0xee;
      w2 ^= 0xee;
    }
    if (step === last + 2) {
      store<u32>(out, v1 ^ v3);
      store<u32>(out, w1 ^ w3, 8);
      v1 ^= 0xdd;
      w1 ^= 0xdd;
    }
  }
  store<u32>(out, v1 ^ v3, 4);
  store<u32>(out, w1 ^ w3, 12);
}

/** Reads the last bytes, at most three. Puts the length into the highest byte. */
function lastWord(start: usize, end: usize): u32 {
  const size = <u32>(end - start);
  const rest = size & 3;
  let word = size << 24;
  for (let i: u32 = 0; i < rest; i++) word |= (<u32>load<u8>(end - rest + i)) << (8 * i);
  return word;
}
