import { MessageEvent_EventType as EventType } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { isLabel, MAX_LABEL_LENGTH } from "../../model/analytics-label.js";
import { MAX_ID_LENGTH } from "../../model/app-id.js";
import { EVENT_TYPES } from "../../model/event-types.js";
import type { DayRange } from "./accepted-days.js";
import { parseEventTime } from "./event-time.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const CARRIAGE_RETURN = 0x0d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

const APP_ID = ascii("appId");
const MESSAGE_ID = ascii("messageId");
const EVENT_TIME = ascii("eventTime");
const EVENT_TYPE = ascii("eventType");
const ANALYTICS_LABEL = ascii("analyticsLabel");
const NOTIFICATION = ascii("notification");
const OPT_IN = ascii("usageReportingOptIn");
const TRUE = ascii("true");
const FALSE = ascii("false");

const SEEN_APP_ID = 1;
const SEEN_MESSAGE_ID = 2;
const SEEN_EVENT_TIME = 4;
const SEEN_EVENT_TYPE = 8;
const SEEN_REQUIRED = 15;
const SEEN_LABEL = 16;
const SEEN_NOTIFICATION = 32;
const SEEN_OPT_IN = 64;

/** 1 for each byte that is allowed in an analytics label. */
const LABEL_BYTES = new Uint8Array(256);
for (let byte = 0; byte < 128; byte++) LABEL_BYTES[byte] = isLabel(String.fromCharCode(byte)) ? 1 : 0;

interface NamedType {
  readonly name: Uint8Array;
  readonly type: EventType;
}

/** Event types by a hash of their names. */
const TYPES = new Map<number, readonly NamedType[]>();
const typeHash = (bytes: Uint8Array, start: number, end: number): number =>
  ((end - start) << 16) | ((bytes[(start + end) >>> 1] ?? 0) << 8) | (bytes[end - 1] ?? 0);
for (const { type, name } of EVENT_TYPES) {
  const bytes = ascii(name);
  const hash = typeHash(bytes, 0, bytes.length);
  TYPES.set(hash, [...(TYPES.get(hash) ?? []), { name: bytes, type }]);
}

/**
 * Reads a line in the form that most writers produce: ASCII without escapes, the contract's JSON names, no
 * duplicates. `readEventLine` accepts every line that this class accepts, with the same values. A line in
 * another form may still be valid, and only takes longer. The fields hold the values until the next line;
 * strings are ranges of the line's bytes.
 */
export class FastEventLine {
  appStart = 0;
  appEnd = 0;
  messageStart = 0;
  messageEnd = 0;
  /** Milliseconds since the Unix epoch. */
  eventTime = 0;
  eventType: EventType = EventType.EVENT_TYPE_UNSPECIFIED;
  labelStart = 0;
  labelEnd = 0;
  notification = false;
  usageReportingOptIn = false;

  readonly #start: number;
  readonly #end: number;
  #at = 0;

  /** @param days days whose events are accepted. */
  constructor({ start, end }: DayRange) {
    this.#start = start;
    this.#end = end;
  }

  /** Returns true if `bytes[start, end)` has the usual form and is a valid event. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.labelStart = this.labelEnd = 0;
    this.notification = this.usageReportingOptIn = false;
    let seen = 0;
    let at = start;
    if (bytes[at++] !== OPEN_BRACE) return false;
    for (;;) {
      while (bytes[at] === SPACE) at++;
      if (bytes[at++] !== QUOTE) return false;
      const keyStart = at;
      while (at < end && bytes[at] !== QUOTE) at++;
      const keyEnd = at++;
      while (bytes[at] === SPACE) at++;
      if (bytes[at++] !== COLON) return false;
      while (bytes[at] === SPACE) at++;
      this.#at = at;
      const field = this.#readField(bytes, keyStart, keyEnd, end);
      if (field === 0 || (seen & field) !== 0) return false;
      seen |= field;
      at = this.#at;
      while (bytes[at] === SPACE) at++;
      const next = bytes[at++];
      if (next === CLOSE_BRACE) break;
      if (next !== COMMA) return false;
    }
    while (at < end && (bytes[at] === SPACE || bytes[at] === CARRIAGE_RETURN)) at++;
    return at === end && (seen & SEEN_REQUIRED) === SEEN_REQUIRED;
  }

  /**
   * Reads one value into its field; returns the bit of the field, or 0 if the key or the value is unusual.
   */
  #readField(bytes: Uint8Array, keyStart: number, keyEnd: number, end: number): number {
    switch (keyEnd - keyStart) {
      case APP_ID.length: {
        if (!same(bytes, keyStart, APP_ID)) return 0;
        const length = this.#readString(bytes, end);
        this.appStart = this.#at - 1 - length;
        this.appEnd = this.#at - 1;
        if (length < 1 || length > MAX_ID_LENGTH) return 0;
        // Includes the few ids that no path can name.
        const first = bytes[this.appStart];
        if (length < 3 && (first === HYPHEN || first === DOT)) return 0;
        for (let i = this.appStart; i < this.appEnd; i++) if (bytes[i] === SLASH) return 0;
        return SEEN_APP_ID;
      }
      case MESSAGE_ID.length: {
        if (same(bytes, keyStart, MESSAGE_ID)) {
          const length = this.#readString(bytes, end);
          this.messageStart = this.#at - 1 - length;
          this.messageEnd = this.#at - 1;
          return length < 1 || length > MAX_ID_LENGTH ? 0 : SEEN_MESSAGE_ID;
        }
        if (same(bytes, keyStart, EVENT_TIME)) {
          const length = this.#readString(bytes, end);
          this.eventTime = parseEventTime(bytes, this.#at - 1 - length, this.#at - 1);
          // An invalid time is NaN, which fails both comparisons.
          return this.eventTime >= this.#start && this.eventTime < this.#end ? SEEN_EVENT_TIME : 0;
        }
        return same(bytes, keyStart, EVENT_TYPE) ? this.#readType(bytes, end) : 0;
      }
      case ANALYTICS_LABEL.length: {
        if (!same(bytes, keyStart, ANALYTICS_LABEL)) return 0;
        const length = this.#readString(bytes, end);
        this.labelStart = this.#at - 1 - length;
        this.labelEnd = this.#at - 1;
        if (length < 0 || length > MAX_LABEL_LENGTH) return 0;
        for (let i = this.labelStart; i < this.labelEnd; i++) if (LABEL_BYTES[bytes[i] ?? 0] === 0) return 0;
        return SEEN_LABEL;
      }
      case NOTIFICATION.length: {
        const value = this.#readBoolean(bytes);
        this.notification = value === 1;
        return value >= 0 && same(bytes, keyStart, NOTIFICATION) ? SEEN_NOTIFICATION : 0;
      }
      case OPT_IN.length: {
        const value = this.#readBoolean(bytes);
        this.usageReportingOptIn = value === 1;
        return value >= 0 && same(bytes, keyStart, OPT_IN) ? SEEN_OPT_IN : 0;
      }
      default:
        return 0;
    }
  }

  #readType(bytes: Uint8Array, end: number): number {
    const length = this.#readString(bytes, end);
    if (length < 1) return 0;
    const start = this.#at - 1 - length;
    for (const { name, type } of TYPES.get(typeHash(bytes, start, this.#at - 1)) ?? []) {
      if (name.length !== length || !same(bytes, start, name)) continue;
      this.eventType = type;
      return SEEN_EVENT_TYPE;
    }
    return 0;
  }

  /** Skips a string of printable ASCII; returns its length, or -1 if the value is anything else. */
  #readString(bytes: Uint8Array, end: number): number {
    let at = this.#at;
    if (bytes[at++] !== QUOTE) return -1;
    const start = at;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) {
        this.#at = at + 1;
        return at - start;
      }
      if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return -1;
    }
    return -1;
  }

  #readBoolean(bytes: Uint8Array): number {
    if (same(bytes, this.#at, TRUE)) {
      this.#at += TRUE.length;
      return 1;
    }
    if (same(bytes, this.#at, FALSE)) {
      this.#at += FALSE.length;
      return 0;
    }
    return -1;
  }
}

function same(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[start + i] !== expected[i]) return false;
  return true;
}
