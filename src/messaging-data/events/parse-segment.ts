import { MessageEvent_EventType as EventType } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { MAX_VIOLATIONS } from "../../limits/request-limits.js";
import { byteAt } from "../../model/collections.js";
import { type Day, dayOf, startOfDay } from "../../model/day.js";
import { countByDay, NameList, type StateBlock } from "../../store/state-block.js";
import { StateMerger } from "../../store/state-merger.js";
import { type LineViolation, readEventLine } from "./event-line.js";
import type { AcceptedRange } from "./event-time.js";
import { FastEventLine } from "./fast-event-line.js";
import { MessageKeys } from "./message-key.js";

/** Minimum size of an event that has only its four required fields, in bytes. */
const MIN_EVENT_BYTES = 64;

export interface ParsedSegment {
  /** Merged events of the valid lines. */
  readonly block: StateBlock;
  /**
   * The same events before merging, with the same name indexes. They are needed to find lines with names that exceed a
   * limit.
   */
  readonly events: EventLines;
  /** Number of events that were left out because their device has not opted in. */
  readonly optedOut: number;
  /** The first violations, at most {@link MAX_VIOLATIONS}. */
  readonly violations: readonly LineViolation[];
  readonly invalidLines: number;
  /** Number of lines, including blank lines. */
  readonly lines: number;
}

/** Events in columns: app index, label index, day, and line number from 1. */
export interface EventLines {
  readonly app: Int32Array;
  readonly label: Int32Array;
  readonly day: Int32Array;
  readonly line: Uint32Array;
}

/**
 * Parses NDJSON events, and merges them.
 *
 * @param segment complete lines. The last line need not have a line break.
 * @param maxLineBytes maximum size of a line in bytes, without its line break.
 */
export const parseSegment = (segment: Uint8Array, maxLineBytes: number, days: AcceptedRange): ParsedSegment =>
  new SegmentReader(segment, maxLineBytes, days).read();

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;

class SegmentReader {
  readonly #bytes: Buffer;
  readonly #maxLineBytes: number;
  readonly #days: AcceptedRange;
  readonly #fast: FastEventLine;
  readonly #merger: StateMerger;
  readonly #keys = new MessageKeys();
  readonly #apps = new NameList([], (appId) => this.#keys.addApp(appId));
  readonly #labels = new NameList([""]);
  readonly #appCache: NameCache;
  readonly #labelCache: NameCache;
  readonly #events: EventLines;
  #length = 0;
  /** Day of the previous event, with its first and last instant. Usually, the next event is on the same day. */
  #day: Day = 0;
  #dayStart = 0;
  #dayEnd = 0;
  readonly #violations: LineViolation[] = [];
  #invalidLines = 0;
  #lines = 0;
  #optedOut = 0;

  constructor(segment: Uint8Array, maxLineBytes: number, days: AcceptedRange) {
    this.#bytes = Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength);
    this.#maxLineBytes = maxLineBytes;
    this.#days = days;
    this.#fast = new FastEventLine(days);
    const capacity = Math.floor((segment.length + 1) / (MIN_EVENT_BYTES + 1));
    this.#merger = new StateMerger(capacity);
    this.#events = {
      app: new Int32Array(capacity),
      label: new Int32Array(capacity),
      day: new Int32Array(capacity),
      line: new Uint32Array(capacity),
    };
    this.#appCache = new NameCache(this.#bytes, this.#apps);
    this.#labelCache = new NameCache(this.#bytes, this.#labels);
  }

  read(): ParsedSegment {
    const bytes = this.#bytes;
    const fast = this.#fast;
    for (let start = 0; start < bytes.length; ) {
      const isUsual = fast.read(bytes, start, bytes.length);
      const lineEnd = isUsual ? fast.lineEnd : endOfLine(bytes, start);
      // A carriage return before the line feed is part of the line break.
      const end = lineEnd > start && bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd;
      this.#lines++;
      if (end - start > this.#maxLineBytes) this.#reportTooLong();
      else if (isUsual) this.#addUsual();
      else this.#readUnusualLine(bytes.subarray(start, end));
      start = lineEnd + 1;
    }
    const events = {
      app: this.#events.app.slice(0, this.#length),
      label: this.#events.label.slice(0, this.#length),
      day: this.#events.day.slice(0, this.#length),
      line: this.#events.line.slice(0, this.#length),
    };
    const [apps, labels] = [this.#apps.names, this.#labels.names];
    return {
      block: { ...this.#merger.take(), apps, labels, days: countByDay(events.day) },
      events,
      optedOut: this.#optedOut,
      violations: this.#violations,
      invalidLines: this.#invalidLines,
      lines: this.#lines,
    };
  }

  /** Adds the event that the fast reader has read. */
  #addUsual(): void {
    const fast = this.#fast;
    const accepted = fast.eventType === EventType.ACCEPTED;
    if (accepted && !fast.usageReportingOptIn) {
      this.#optedOut++;
      return;
    }
    this.#add(
      this.#appCache.indexOf(fast.appStart, fast.appEnd),
      this.#bytes,
      fast.messageStart,
      fast.messageEnd,
      fast.eventTime,
      fast.eventType,
      accepted && fast.labelEnd > fast.labelStart
        ? this.#labelCache.indexOf(fast.labelStart, fast.labelEnd)
        : 0,
      accepted && fast.notification,
    );
  }

  #readUnusualLine(line: Buffer): void {
    if (line.every(isWhiteSpace)) return;
    if (line.length < MIN_EVENT_BYTES && this.#violations.length === MAX_VIOLATIONS) {
      // After many violations, invalid lines are only counted. Otherwise, a compressed request with millions of them
      // would keep the parser busy for minutes.
      this.#invalidLines++;
      return;
    }
    const violations: LineViolation[] = [];
    const event = readEventLine(line, this.#lines, this.#days, violations);
    if (event === undefined) {
      this.#report(violations);
    } else if (event.eventType === EventType.ACCEPTED && !event.usageReportingOptIn) {
      this.#optedOut++;
    } else {
      const id = Buffer.from(event.messageId);
      this.#add(
        this.#apps.indexOf(event.appId),
        id,
        0,
        id.length,
        event.eventTime,
        event.eventType,
        this.#labels.indexOf(event.analyticsLabel),
        event.notification,
      );
    }
  }

  /**
   * Adds the current line's event.
   *
   * @param id bytes that contain the message id in UTF-8, at `[idStart, idEnd)`.
   * @param eventTime milliseconds since the Unix epoch.
   */
  #add(
    app: number,
    id: Uint8Array,
    idStart: number,
    idEnd: number,
    eventTime: number,
    type: EventType,
    label: number,
    notification: boolean,
  ): void {
    if (eventTime < this.#dayStart || eventTime >= this.#dayEnd) {
      this.#day = dayOf(eventTime);
      this.#dayStart = startOfDay(this.#day);
      this.#dayEnd = startOfDay(this.#day + 1);
    }
    const row = this.#length++;
    this.#events.app[row] = app;
    this.#events.label[row] = label;
    this.#events.day[row] = this.#day;
    this.#events.line[row] = this.#lines;
    const key = this.#keys.of(app, id, idStart, idEnd);
    this.#merger.addEvent(key, app, this.#day, eventTime - this.#dayStart, type, label, notification ? 1 : 0);
  }

  #reportTooLong(): void {
    const description = `is longer than ${this.#maxLineBytes} bytes`;
    this.#report([{ line: this.#lines, field: "", description }]);
  }

  #report(violations: readonly LineViolation[]): void {
    this.#invalidLines++;
    const room = MAX_VIOLATIONS - this.#violations.length;
    if (room > 0) this.#violations.push(...violations.slice(0, room));
  }
}

/** Returns the next line feed's index, or the number of bytes if there is none. */
function endOfLine(bytes: Buffer, start: number): number {
  const lineFeed = bytes.indexOf(NEWLINE, start);
  return lineFeed < 0 ? bytes.length : lineFeed;
}

function isWhiteSpace(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

/** Number of slots. It is a power of two. */
const SLOTS = 1024;

/**
 * Caches the indexes of names that are read from a buffer, so that a repeated name does not have to be converted to a
 * string. Each slot holds the last name with its hash. If several names share a slot, lookups are slower but still
 * correct.
 */
export class NameCache {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #list: Pick<NameList, "indexOf">;
  readonly #starts = new Int32Array(SLOTS);
  readonly #lengths = new Int32Array(SLOTS);
  readonly #indexes = new Int32Array(SLOTS);

  /** @param bytes buffer with ASCII names. */
  constructor(bytes: Buffer, list: Pick<NameList, "indexOf">) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#list = list;
  }

  /** Returns the index for the name in `bytes[start, end)`. The name must not be empty. */
  indexOf(start: number, end: number): number {
    const bytes = this.#bytes;
    const length = end - start;
    const slot = slotOf(bytes, start, end);
    // A slot number is valid as an index of all three arrays.
    const known = this.#starts[slot] as number;
    if (this.#lengths[slot] === length && this.#isSame(known, start, length))
      return this.#indexes[slot] as number;
    const index = this.#list.indexOf(bytes.toString("latin1", start, end));
    this.#starts[slot] = start;
    this.#lengths[slot] = length;
    this.#indexes[slot] = index;
    return index;
  }

  /** Compares two names from the end, four bytes at a time, because names usually differ near the end. */
  #isSame(a: number, b: number, length: number): boolean {
    const view = this.#view;
    let left = length;
    for (; left >= 4; left -= 4) {
      if (view.getInt32(a + left - 4) !== view.getInt32(b + left - 4)) return false;
    }
    while (--left >= 0) if (view.getUint8(a + left) !== view.getUint8(b + left)) return false;
    return true;
  }
}

/** Hashes a name by its length and its first and last four bytes. */
function slotOf(bytes: Buffer, start: number, end: number): number {
  let hash = (end - start) ^ (byteAt(bytes, start) << 8);
  for (let at = Math.max(start, end - 4); at < end; at++)
    hash = Math.imul(hash ^ byteAt(bytes, at), 0x01000193);
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
