import { MessageEvent_EventType as EventType } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { MAX_VIOLATIONS } from "../../limits/limits.js";
import type { EventBlock } from "../../store/event-block.js";
import type { DayRange } from "./accepted-days.js";
import { EventBlockBuilder } from "./event-block-builder.js";
import { type LineViolation, readEventLine } from "./event-line.js";
import { FastEventLine } from "./fast-event-line.js";
import { NameCache } from "./name-cache.js";

/** Lower bound for the size of an event with its four required fields, in bytes. */
const MIN_EVENT_BYTES = 64;

/** Result of parsing the lines of an import. */
export interface ParsedEvents {
  /** The events to store, provided that every line was valid. */
  readonly block: EventBlock;
  /** Line of each event, from 1. */
  readonly eventLines: Uint32Array;
  /** Number of events omitted because their device did not opt in. */
  readonly optedOut: number;
  /** The first {@link MAX_VIOLATIONS} violations. */
  readonly violations: readonly LineViolation[];
  /** Number of invalid lines. */
  readonly invalidLines: number;
  /** Number of lines, including blank ones. */
  readonly lines: number;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;

/** Parses newline-delimited JSON events. Keeps only the block that it builds. */
export class EventParser {
  readonly #maxLineBytes: number;
  readonly #days: DayRange;
  readonly #fast: FastEventLine;
  readonly #builder = new EventBlockBuilder();
  readonly #violations: LineViolation[] = [];
  #invalidLines = 0;
  #lines = 0;
  #optedOut = 0;

  /**
   * @param maxLineBytes maximum size of a line without its line break, in bytes.
   * @param days days whose events are accepted.
   */
  constructor(maxLineBytes: number, days: DayRange) {
    this.#maxLineBytes = maxLineBytes;
    this.#days = days;
    this.#fast = new FastEventLine(days);
  }

  /** Parses complete lines; the last may lack its line break. */
  push(lines: Uint8Array): void {
    const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
    this.#builder.reserve(bytes.length);
    const apps = new NameCache(bytes, (name) => this.#builder.appIndex(name));
    const labels = new NameCache(bytes, (name) => this.#builder.labelIndex(name));
    const fast = this.#fast;
    for (let start = 0; start < bytes.length; ) {
      const isUsual = fast.read(bytes, start, bytes.length);
      const lineEnd = isUsual ? fast.lineEnd : endOfLine(bytes, start);
      // A carriage return before a line feed belongs to the line break.
      const end = lineEnd > start && bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd;
      this.#lines++;
      if (end - start > this.#maxLineBytes) this.#reportTooLong();
      else if (isUsual) this.#addUsual(bytes, apps, labels);
      else this.#readUnusualLine(bytes.subarray(start, end));
      start = lineEnd + 1;
    }
  }

  finish(): ParsedEvents {
    return {
      block: this.#builder.build(),
      eventLines: this.#builder.lines,
      optedOut: this.#optedOut,
      violations: this.#violations,
      invalidLines: this.#invalidLines,
      lines: this.#lines,
    };
  }

  /** Adds the event that the fast reader has read. */
  #addUsual(bytes: Buffer, apps: NameCache, labels: NameCache): void {
    const fast = this.#fast;
    const accepted = fast.eventType === EventType.ACCEPTED;
    if (accepted && !fast.usageReportingOptIn) {
      this.#optedOut++;
      return;
    }
    this.#builder.add(
      apps.indexOf(fast.appStart, fast.appEnd),
      bytes,
      fast.messageStart,
      fast.messageEnd,
      fast.eventTime,
      fast.eventType,
      accepted && fast.labelEnd > fast.labelStart ? labels.indexOf(fast.labelStart, fast.labelEnd) : 0,
      accepted && fast.notification,
      this.#lines,
    );
  }

  #readUnusualLine(line: Buffer): void {
    if (line.every(isWhiteSpace)) return;
    if (line.length < MIN_EVENT_BYTES && this.#violations.length === MAX_VIOLATIONS) {
      // Only counts the line: a compressed flood of such lines would keep the parser busy for minutes.
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
      this.#builder.add(
        this.#builder.appIndex(event.appId),
        id,
        0,
        id.length,
        event.eventTime,
        event.eventType,
        this.#builder.labelIndex(event.analyticsLabel),
        event.notification,
        this.#lines,
      );
    }
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

/** Returns the index of the line feed that ends the line, or of the end. */
function endOfLine(bytes: Buffer, start: number): number {
  const lineFeed = bytes.indexOf(NEWLINE, start);
  return lineFeed < 0 ? bytes.length : lineFeed;
}

function isWhiteSpace(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}
