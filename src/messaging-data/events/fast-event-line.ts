import { MessageEvent_EventType as EventType } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { byteAt } from "../../model/collections.js";
import { EVENT_TYPES } from "../../model/event-types.js";
import { isLabel, MAX_ID_LENGTH, MAX_LABEL_LENGTH } from "../../model/names.js";
import { type AcceptedRange, parseEventTime } from "./event-time.js";

const QUOTE = 0x22;
const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A field, with its quoted key and its bit in a set of fields. */
interface Field {
  /** Length of the key, in bytes. */
  readonly length: number;
  /** The key as words of four bytes. The last word ends with the key, and may overlap the previous word. */
  readonly words: Int32Array;
  readonly bit: number;
}

const WORD = 4;

function fieldOf(key: string, bit: number): Field {
  const bytes = ascii(key);
  const view = new DataView(bytes.buffer);
  const { length } = bytes;
  const words = Int32Array.from({ length: Math.ceil(length / WORD) }, (_, index) =>
    view.getInt32(Math.min(WORD * index, length - WORD)),
  );
  return { length, words, bit };
}

const [APP_ID, MESSAGE_ID, EVENT_TIME, EVENT_TYPE, LABEL, NOTIFICATION, OPT_IN] = [1, 2, 4, 8, 16, 32, 64];
const REQUIRED = APP_ID | MESSAGE_ID | EVENT_TIME | EVENT_TYPE;

/** All fields, in the order in which most writers write them. */
const FIELDS: readonly Field[] = [
  fieldOf('"appId"', APP_ID),
  fieldOf('"messageId"', MESSAGE_ID),
  fieldOf('"eventTime"', EVENT_TIME),
  fieldOf('"eventType"', EVENT_TYPE),
  fieldOf('"analyticsLabel"', LABEL),
  fieldOf('"notification"', NOTIFICATION),
  fieldOf('"usageReportingOptIn"', OPT_IN),
];

const TRUE = ascii("true");
const FALSE = ascii("false");

/** Returns a table by byte: 1 for ASCII characters that are allowed, otherwise 0. */
function tableOf(isAllowed: (character: string) => boolean): Uint8Array {
  const table = new Uint8Array(256);
  for (let byte = 0x20; byte < 0x7f; byte++) table[byte] = isAllowed(String.fromCharCode(byte)) ? 1 : 0;
  return table;
}

/** Characters that need no escape in JSON strings and are printable ASCII. */
const PLAIN = tableOf((character) => character !== '"' && character !== "\\");
const APP_ID_BYTES = tableOf((character) => character !== '"' && character !== "\\" && character !== "/");
const LABEL_BYTES = tableOf(isLabel);

interface NamedType {
  readonly name: Uint8Array;
  readonly type: EventType;
}

/** Event types, by a hash of their names. */
const TYPES = new Map<number, readonly NamedType[]>();
const typeHash = (bytes: Uint8Array, start: number, end: number): number =>
  ((end - start) << 16) | (byteAt(bytes, (start + end) >>> 1) << 8) | byteAt(bytes, end - 1);
for (const { type, name } of EVENT_TYPES) {
  const bytes = ascii(name);
  const hash = typeHash(bytes, 0, bytes.length);
  TYPES.set(hash, [...(TYPES.get(hash) ?? []), { name: bytes, type }]);
}

/**
 * Reads lines in the form that most writers produce: ASCII without escapes, the contract's JSON names, and no duplicate
 * keys. Every accepted line has the same values in `readEventLine`. If this class does not accept a line, the line may
 * still be valid, and the slower `readEventLine` must read it. The properties describe the line that was read last.
 * Strings are ranges of bytes.
 */
export class FastEventLine {
  appStart = 0;
  appEnd = 0;
  messageStart = 0;
  messageEnd = 0;
  /** Time of the event, in milliseconds since the Unix epoch. */
  eventTime = 0;
  eventType: EventType = EventType.EVENT_TYPE_UNSPECIFIED;
  labelStart = 0;
  labelEnd = 0;
  notification = false;
  usageReportingOptIn = false;
  /** Index of the line feed, or the end index if there is no line feed. */
  lineEnd = 0;

  readonly #start: number;
  readonly #end: number;
  #bytes: Uint8Array | undefined;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #at = 0;

  /** @param days days to accept. */
  constructor({ start, end }: AcceptedRange) {
    this.#start = start;
    this.#end = end;
  }

  /** Reads the first line in `bytes[start, end)`. @returns true if the line has the usual form and is a valid event. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.labelStart = this.labelEnd = 0;
    this.notification = this.usageReportingOptIn = false;
    if (bytes !== this.#bytes) this.#open(bytes);
    let seen = 0;
    let at = start;
    if (bytes[at++] !== OPEN_BRACE) return false;
    for (let expected = 0; ; expected++) {
      while (bytes[at] === SPACE) at++;
      // Usually, the next field in the usual order follows, or a field soon after it.
      let tries = 0;
      while (!this.#isKey(at, fieldAt(expected))) {
        if (++tries === FIELDS.length) return false;
        expected++;
      }
      const { length, bit } = fieldAt(expected);
      at += length;
      while (bytes[at] === SPACE) at++;
      if (bytes[at++] !== COLON) return false;
      while (bytes[at] === SPACE) at++;
      this.#at = at;
      if ((seen & bit) !== 0 || !this.#readValue(bit, bytes, end)) return false;
      seen |= bit;
      at = this.#at;
      while (bytes[at] === SPACE) at++;
      const next = bytes[at++];
      if (next === CLOSE_BRACE) break;
      if (next !== COMMA) return false;
    }
    while (at < end && (bytes[at] === SPACE || bytes[at] === CARRIAGE_RETURN)) at++;
    this.lineEnd = at;
    return (at === end || (at < end && bytes[at] === NEWLINE)) && (seen & REQUIRED) === REQUIRED;
  }

  #open(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  #isKey(at: number, { words, length }: Field): boolean {
    const view = this.#view;
    const last = at + length - WORD;
    if (last + WORD > view.byteLength) return false;
    let index = 0;
    for (let from = at; from < last; from += WORD) if (view.getInt32(from) !== words[index++]) return false;
    return view.getInt32(last) === words[index];
  }

  /** Reads a field's value. @returns false if the value does not have the usual form. */
  #readValue(field: number, bytes: Uint8Array, end: number): boolean {
    switch (field) {
      case APP_ID: {
        const length = this.#readString(bytes, end, APP_ID_BYTES);
        this.appStart = this.#at - 1 - length;
        this.appEnd = this.#at - 1;
        // Does not accept ids that start with "-" or "." and are short, because "-", "." and ".." are invalid.
        const first = bytes[this.appStart];
        return length <= MAX_ID_LENGTH && (length > 2 || (length > 0 && first !== HYPHEN && first !== DOT));
      }
      case MESSAGE_ID: {
        const length = this.#readString(bytes, end, PLAIN);
        this.messageStart = this.#at - 1 - length;
        this.messageEnd = this.#at - 1;
        return length > 0 && length <= MAX_ID_LENGTH;
      }
      case EVENT_TIME: {
        const length = this.#readString(bytes, end, PLAIN);
        this.eventTime = parseEventTime(bytes, this.#at - 1 - length, this.#at - 1);
        // The time is NaN if it is invalid. NaN fails both comparisons.
        return this.eventTime >= this.#start && this.eventTime < this.#end;
      }
      case EVENT_TYPE:
        return this.#readType(bytes, end);
      case LABEL: {
        const length = this.#readString(bytes, end, LABEL_BYTES);
        this.labelStart = this.#at - 1 - length;
        this.labelEnd = this.#at - 1;
        return length >= 0 && length <= MAX_LABEL_LENGTH;
      }
      case NOTIFICATION: {
        this.notification = this.#readLiteral(bytes, TRUE);
        return this.notification || this.#readLiteral(bytes, FALSE);
      }
      default: {
        this.usageReportingOptIn = this.#readLiteral(bytes, TRUE);
        return this.usageReportingOptIn || this.#readLiteral(bytes, FALSE);
      }
    }
  }

  #readType(bytes: Uint8Array, end: number): boolean {
    const length = this.#readString(bytes, end, PLAIN);
    if (length < 1) return false;
    const start = this.#at - 1 - length;
    for (const { name, type } of TYPES.get(typeHash(bytes, start, this.#at - 1)) ?? []) {
      if (name.length !== length || !same(bytes, start, name)) continue;
      this.eventType = type;
      return true;
    }
    return false;
  }

  /** Skips a string of `allowed` bytes. @returns the string's length; -1 if the value is not such a string. */
  #readString(bytes: Uint8Array, end: number, allowed: Uint8Array): number {
    if (bytes[this.#at] !== QUOTE) return -1;
    const start = this.#at + 1;
    let at = start;
    while (allowed[bytes[at] ?? 0] === 1) at++;
    if (at >= end || bytes[at] !== QUOTE) return -1;
    this.#at = at + 1;
    return at - start;
  }

  /** Skips a literal. @returns false if another text follows. */
  #readLiteral(bytes: Uint8Array, literal: Uint8Array): boolean {
    if (!same(bytes, this.#at, literal)) return false;
    this.#at += literal.length;
    return true;
  }
}

function fieldAt(index: number): Field {
  return FIELDS[index % FIELDS.length] as Field;
}

function same(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[start + i] !== expected[i]) return false;
  return true;
}
