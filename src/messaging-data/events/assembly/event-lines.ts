// Reads event lines in the form that most writers produce: ASCII without escapes, the contract's JSON names, and no
// duplicate keys. Written in AssemblyScript, which `npm run generate` compiles to WebAssembly. The host, `event-scanner.ts`
// in the folder above, reads all other lines, and knows the names. Addresses are positions in the memory that both share.

import { clearNames, dayOf, INVALID, instantOf, isSame, Kind, numberOfName, startOf } from "./field-values";
import { acceptedType, addEvent, clearLast, openStates } from "./message-states";

export {
  acceptedAt,
  addApp,
  app,
  day,
  eventApp,
  eventDay,
  eventLabel,
  eventLine,
  events,
  hash,
  keyHigh,
  keyLow,
  label,
  notification,
  outcome,
  proxy,
  seen,
  setTypes,
  states,
} from "./message-states";

/** Fields of an event, in the order in which most writers write them. */
enum Field {
  APP_ID,
  MESSAGE_ID,
  EVENT_TIME,
  EVENT_TYPE,
  LABEL,
  NOTIFICATION,
  OPT_IN,
}
const FIELDS: i32 = 7;
const REQUIRED: u32 = 0b1111;

const NEWLINE: u8 = 0x0a;
const CARRIAGE_RETURN: u8 = 0x0d;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const COMMA: u8 = 0x2c;
const COLON: u8 = 0x3a;
const BACKSLASH: u8 = 0x5c;
const OPEN_BRACE: u8 = 0x7b;
const CLOSE_BRACE: u8 = 0x7d;
const DELETE: u8 = 0x7f;
const LOWER_E: u8 = 0x65;
/** The texts `true` and `fals`, as words. */
const TRUE: u32 = 0x65757274;
const FALS: u32 = 0x736c6166;

/** Bytes between the lines and the columns, because texts are read in blocks. */
const MARGIN: usize = 64;
/** Bytes that are compared at once. */
const BLOCK_BYTES: usize = 16;

/** The fields' keys with their quotes. Each has a size, and its text 8 bytes later. */
const KEY_BYTES: i32 = 32;
const keys: usize = memory.data(FIELDS * KEY_BYTES, 8);
/** Address after the last line. */
let end: usize = 0;
/** Address at which the host may write an id. */
export let scratch: usize = 0;
let maxLineBytes: usize = 0;
let maxIdBytes: usize = 0;
let firstInstant: f64 = 0;
let endInstant: f64 = 0;
/** Number of lines so far. */
export let lines: i32 = 0;
/** Number of events that were left out because their device has not opted in. */
export let optedOut: i32 = 0;

/** Returns the address at which the host must write a field's key with its quotes. */
export function setKey(field: i32, size: i32): usize {
  const key = keys + <usize>(KEY_BYTES * field);
  store<u32>(key, size);
  return key + 8;
}

/**
 * Removes all events and names, and makes room for lines.
 *
 * @param size size of the lines, in bytes.
 * @param maxEvents maximum number of events in the lines.
 * @param longest maximum size of a line without its line break, in bytes.
 * @param longestId maximum number of characters of an id.
 * @param first first instant of the accepted days, in milliseconds since the Unix epoch.
 * @param after first instant after them.
 * @returns the address at which the host must write the lines.
 */
export function open(size: i32, maxEvents: i32, longest: i32, longestId: i32, first: f64, after: f64): usize {
  const start = (__heap_base + 15) & ~15;
  end = start + size;
  scratch = (end + MARGIN) & ~15;
  maxLineBytes = longest;
  maxIdBytes = longestId;
  firstInstant = first;
  endInstant = after;
  openStates(scratch + 4 * maxIdBytes, maxEvents);
  clearNames();
  lines = 0;
  optedOut = 0;
  // A line break ends each text, also that of an incomplete last line.
  store<u8>(end, NEWLINE);
  return start;
}

/** Reads lines from an address on. Returns the address where the host must read a line, or the end. */
export function scan(start: usize): usize {
  let at = start;
  while (at < end) {
    const lineEnd = readLine(at);
    if (lineEnd === 0) return at;
    at = lineEnd + 1;
  }
  return end;
}

/** Counts a line that the host reads. Returns its number, from 1. The host may then write its ids to {@link scratch}. */
export function countLine(): i32 {
  clearLast();
  return ++lines;
}

/** Reads a line, and adds its event. Returns the line feed's address, or 0 if the host must read the line. */
function readLine(start: usize): usize {
  let appStart: usize = 0;
  let appEnd: usize = 0;
  let idStart: usize = 0;
  let idEnd: usize = 0;
  let time: f64 = 0;
  let type: i32 = 0;
  let labelStart: usize = 0;
  let labelEnd: usize = 0;
  let notification = false;
  let optIn = false;
  let seen: u32 = 0;
  let at = start;
  if (load<u8>(at++) !== OPEN_BRACE) return 0;
  for (let field = 0; ; field++) {
    at = skipSpaces(at);
    // Usually, the next field in the usual order follows, or a field soon after it.
    let tries = 0;
    for (; ; field++) {
      if (field >= FIELDS) field = 0;
      if (isKey(at, field)) break;
      if (++tries === FIELDS) return 0;
    }
    const bit: u32 = 1 << field;
    if ((seen & bit) !== 0) return 0;
    seen |= bit;
    at = skipSpaces(at + load<u32>(keys + <usize>(KEY_BYTES * field)));
    if (load<u8>(at++) !== COLON) return 0;
    at = skipSpaces(at);
    if (field < Field.NOTIFICATION) {
      if (load<u8>(at++) !== QUOTE) return 0;
      const textStart = at;
      const textEnd = endOfText(at);
      if (load<u8>(textEnd) !== QUOTE) return 0;
      at = textEnd + 1;
      switch (field) {
        case Field.APP_ID:
          appStart = textStart;
          appEnd = textEnd;
          if (appEnd - appStart > maxIdBytes) return 0;
          break;
        case Field.MESSAGE_ID:
          idStart = textStart;
          idEnd = textEnd;
          if (idEnd === idStart || idEnd - idStart > maxIdBytes) return 0;
          break;
        case Field.EVENT_TIME:
          time = instantOf(textStart, textEnd);
          // The time is NaN if it is invalid. NaN fails both comparisons.
          if (!(time >= firstInstant && time < endInstant)) return 0;
          break;
        case Field.EVENT_TYPE:
          type = numberOfName(Kind.EVENT_TYPE, textStart, textEnd);
          if (type === INVALID) return 0;
          break;
        default:
          labelStart = textStart;
          labelEnd = textEnd;
      }
    } else {
      const isTrue = load<u32>(at) === TRUE;
      if (!isTrue && !(load<u32>(at) === FALS && load<u8>(at, 4) === LOWER_E)) return 0;
      at += isTrue ? 4 : 5;
      if (field === Field.NOTIFICATION) notification = isTrue;
      else optIn = isTrue;
    }
    at = skipSpaces(at);
    const next = load<u8>(at++);
    if (next === CLOSE_BRACE) break;
    if (next !== COMMA) return 0;
  }
  while (load<u8>(at) === SPACE || load<u8>(at) === CARRIAGE_RETURN) at++;
  if (load<u8>(at) !== NEWLINE || (seen & REQUIRED) !== REQUIRED || at - start > maxLineBytes) return 0;
  const isAccepted = type === acceptedType;
  const isLeftOut = isAccepted && !optIn;
  const hasLabel = labelEnd > labelStart;
  // Only names of stored events get numbers.
  if (hasLabel && numberOfName(Kind.CHECKED_LABEL, labelStart, labelEnd) === INVALID) return 0;
  const app = numberOfName(isLeftOut ? Kind.CHECKED_APP : Kind.APP, appStart, appEnd);
  if (app === INVALID) return 0;
  lines++;
  if (isLeftOut) {
    optedOut++;
  } else {
    const label = isAccepted && hasLabel ? numberOfName(Kind.LABEL, labelStart, labelEnd) : 0;
    add(app, idStart, idEnd, time, type, label, isAccepted && notification);
  }
  return at;
}

/** Adds an event of the current line. Its message id is at [idStart, idEnd). */
export function add(
  app: i32,
  idStart: usize,
  idEnd: usize,
  time: f64,
  type: i32,
  label: i32,
  notification: bool,
): void {
  const day = dayOf(time);
  const millisecond = <u32>(time - startOf(day));
  addEvent(app, idStart, idEnd, day, millisecond, type, label, notification, lines);
}

function isKey(at: usize, field: i32): bool {
  const key = keys + <usize>(KEY_BYTES * field);
  return isSame(at, key + 8, load<u32>(key));
}

function skipSpaces(start: usize): usize {
  let at = start;
  while (load<u8>(at) === SPACE) at++;
  return at;
}

/** Finds the first byte that is a quote, needs an escape in JSON strings, or is no printable ASCII. */
function endOfText(start: usize): usize {
  let at = start;
  let ends = endsOfText(at);
  while (ends === 0) {
    at += BLOCK_BYTES;
    ends = endsOfText(at);
  }
  return at + ctz(ends);
}

/** Returns a bit for each byte of a block: 1 if a text ends there. */
function endsOfText(at: usize): i32 {
  const block = v128.load(at);
  const isQuote = i8x16.eq(block, i8x16.splat(QUOTE));
  const isBackslash = i8x16.eq(block, i8x16.splat(BACKSLASH));
  // As signed bytes, those that are not ASCII are negative.
  const isUnprintable = v128.or(i8x16.lt_s(block, i8x16.splat(SPACE)), i8x16.eq(block, i8x16.splat(DELETE)));
  return i8x16.bitmask(v128.or(v128.or(isQuote, isBackslash), isUnprintable));
}
