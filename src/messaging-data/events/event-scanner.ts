import { readFileSync } from "node:fs";
import { MessageEvent_EventType as EventType } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { bytesIn } from "../../limits/byte-buffers.js";
import { startOfDay } from "../../model/day.js";
import { EVENT_TYPES, OUTCOMES, PROXY_RESULTS } from "../../model/event-types.js";
import { isAndroidAppId, isLabel, MAX_ID_LENGTH } from "../../model/names.js";
import { countByDay, NameList, type StateBlock } from "../../store/state-block.js";
import type { MessageEvent } from "./event-line.js";
import { type AcceptedRange, parseDate } from "./event-time.js";

/** No event is smaller than this number of bytes. The scanner's memory depends on it. */
export const MIN_EVENT_BYTES = 64;

/** Complete lines in pieces with arbitrary boundaries. The last line need not have a line break. */
export type Segment = readonly Uint8Array[];

/** Fields of an event, as `assembly/event-lines.ts` numbers them. */
const FIELDS = [
  "appId",
  "messageId",
  "eventTime",
  "eventType",
  "analyticsLabel",
  "notification",
  "usageReportingOptIn",
];

/** Kinds of names, as `assembly/field-values.ts` numbers them. */
enum Kind {
  APP,
  LABEL,
  EVENT_TYPE,
  DATE,
  CHECKED_APP,
  CHECKED_LABEL,
}

/** Number of an invalid name. */
const INVALID = -0x8000_0000;
const TYPES = new Map<string, number>(EVENT_TYPES.map(({ name, type }) => [name, type]));

/** Events in columns: app index, label index, day, and line number from 1. */
export interface EventLines {
  readonly app: Int32Array;
  readonly label: Int32Array;
  readonly day: Int32Array;
  readonly line: Uint32Array;
}

export interface ScannedEvents {
  /** Merged events. */
  readonly block: StateBlock;
  /**
   * The same events before merging, with the same name indexes. They are needed to find lines with names that exceed a
   * limit.
   */
  readonly events: EventLines;
  /** Number of events that were left out because their device has not opted in. */
  readonly optedOut: number;
  /** Number of lines, including blank lines. */
  readonly lines: number;
}

/** A variable of the scanner, such as a column's address in its memory. */
interface Variable {
  readonly value: number;
}

type StateColumn =
  | "app"
  | "day"
  | "keyHigh"
  | "keyLow"
  | "acceptedAt"
  | "label"
  | "notification"
  | "outcome"
  | "proxy"
  | "seen";
type EventColumn = "eventApp" | "eventLabel" | "eventDay" | "eventLine";
type Variables = StateColumn | EventColumn | "events" | "states" | "lines" | "optedOut" | "scratch";

/** What `assembly/event-lines.ts` exports. */
interface Scanner extends Readonly<Record<Variables, Variable>> {
  readonly memory: { readonly buffer: ArrayBuffer };
  setTypes(accepted: number, outcomes: number, proxies: number): void;
  setKey(field: number, size: number): number;
  open(
    size: number,
    maxEvents: number,
    maxLineBytes: number,
    maxIdLength: number,
    firstInstant: number,
    endInstant: number,
  ): number;
  addApp(app: number, start: number, end: number): void;
  scan(start: number): number;
  countLine(): number;
  add(
    app: number,
    idStart: number,
    idEnd: number,
    time: number,
    type: number,
    label: number,
    notification: number,
  ): void;
  hash(start: number, end: number, k0: number, k1: number, l0: number, l1: number, out: number): void;
}

/** The types of Node.js lack it. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  };
};
const MODULE = new WebAssembly.Module(readFileSync(new URL("../../gen/event-scanner.wasm", import.meta.url)));

/** Starts the scanner. @param numberOf returns a name's number, or {@link INVALID}. */
export const instantiate = (numberOf: (kind: Kind, start: number, end: number) => number): Scanner =>
  new WebAssembly.Instance(MODULE, { "field-values": { numberOf, startOfDay } }).exports as Scanner;

/**
 * Reads event lines, and merges their events into partial message states. WebAssembly reads lines in the form that most
 * writers produce. Each of them has the same values in `readEventLine`, which must read all other lines.
 */
export class EventScanner {
  readonly #scanner: Scanner;
  /** Memory that is shared with the scanner. */
  #memory = Buffer.alloc(0);
  #apps = new NameList();
  #labels = new NameList();
  /** Address of the lines. */
  #start = 0;
  /** Number of events that {@link add} left out. */
  #optedOut = 0;

  constructor() {
    this.#scanner = instantiate((kind, start, end) => this.#numberOf(kind, start, end));
    this.#scanner.setTypes(EventType.ACCEPTED, OUTCOMES, PROXY_RESULTS);
    this.#findMemory();
    for (const [index, field] of FIELDS.entries()) {
      const key = `"${field}"`;
      this.#memory.write(key, this.#scanner.setKey(index, key.length), "latin1");
    }
  }

  /**
   * Starts to read other lines.
   *
   * @param maxLineBytes maximum size of a line in bytes, without its line break.
   * @param days days to accept.
   * @returns the lines, in one piece. They are valid until the next call.
   */
  open(segment: Segment, maxLineBytes: number, { start, end }: AcceptedRange): Buffer {
    const length = bytesIn(segment);
    const maxEvents = Math.floor((length + 1) / (MIN_EVENT_BYTES + 1));
    this.#start = this.#scanner.open(length, maxEvents, maxLineBytes, MAX_ID_LENGTH, start, end);
    this.#findMemory();
    let linesEnd = this.#start;
    for (const piece of segment) {
      this.#memory.set(piece, linesEnd);
      linesEnd += piece.length;
    }
    let apps = 0;
    this.#apps = new NameList([], (appId) => this.#scanner.addApp(apps++, ...this.#note(appId)));
    this.#labels = new NameList([""]);
    this.#optedOut = 0;
    return this.#memory.subarray(this.#start, linesEnd);
  }

  /**
   * Reads lines from an index on.
   *
   * @returns index of the next line that `readEventLine` must read, or the number of bytes if there is none.
   */
  scan(from: number): number {
    return this.#scanner.scan(this.#start + from) - this.#start;
  }

  /** Counts a line that {@link scan} did not read. @returns its number, from 1. */
  countLine(): number {
    return this.#scanner.countLine();
  }

  /** Adds an event from the line that was counted last. */
  add(event: MessageEvent): void {
    const { appId, messageId, eventTime, eventType, analyticsLabel, notification } = event;
    if (eventType === EventType.ACCEPTED && !event.usageReportingOptIn) {
      this.#optedOut++;
      return;
    }
    const app = this.#apps.indexOf(appId);
    const [idStart, idEnd] = this.#note(messageId);
    const label = this.#labels.indexOf(analyticsLabel);
    this.#scanner.add(app, idStart, idEnd, eventTime, eventType, label, notification ? 1 : 0);
  }

  /** Returns all events so far. */
  take(): ScannedEvents {
    const { events, states, lines, optedOut, ...at } = this.#scanner;
    const [rows, length] = [events.value, states.value];
    const day = this.#words(Int32Array, at.eventDay, rows);
    return {
      block: {
        length,
        apps: this.#apps.names,
        labels: this.#labels.names,
        days: countByDay(day),
        app: this.#words(Int32Array, at.app, length),
        day: this.#words(Int32Array, at.day, length),
        keyHigh: this.#words(Uint32Array, at.keyHigh, 2 * length),
        keyLow: this.#words(Uint32Array, at.keyLow, 2 * length),
        acceptedAt: this.#words(Uint32Array, at.acceptedAt, length),
        label: this.#words(Int32Array, at.label, length),
        notification: new Uint8Array(this.#memory.buffer, at.notification.value, length).slice(),
        outcome: this.#words(Uint32Array, at.outcome, length),
        proxy: this.#words(Uint32Array, at.proxy, length),
        seen: this.#words(Uint32Array, at.seen, length),
      },
      events: {
        app: this.#words(Int32Array, at.eventApp, rows),
        label: this.#words(Int32Array, at.eventLabel, rows),
        day,
        line: this.#words(Uint32Array, at.eventLine, rows),
      },
      optedOut: optedOut.value + this.#optedOut,
      lines: lines.value,
    };
  }

  /** Called by the scanner for names that it does not know. */
  #numberOf(kind: Kind, start: number, end: number): number {
    if (kind === Kind.DATE) {
      const day = parseDate(this.#memory, start);
      return Number.isNaN(day) ? INVALID : day;
    }
    const name = this.#memory.toString("latin1", start, end);
    if (kind === Kind.EVENT_TYPE) return TYPES.get(name) ?? INVALID;
    if (kind === Kind.LABEL) return this.#labels.indexOf(name);
    if (kind === Kind.CHECKED_LABEL) return isLabel(name) ? 0 : INVALID;
    if (!isAndroidAppId(name)) return INVALID;
    return kind === Kind.APP ? this.#apps.indexOf(name) : 0;
  }

  /** Writes an id to the scanner's memory. Returns its range, which is valid until the next call. */
  #note(id: string): [start: number, end: number] {
    const start = this.#scanner.scratch.value;
    return [start, start + this.#memory.write(id, start)];
  }

  /** Copies a column. */
  #words<T>(type: Words<T>, { value }: Variable, length: number): T {
    return new type(this.#memory.buffer.slice(value, value + 4 * length));
  }

  /** Memory that grows gets another buffer. */
  #findMemory(): void {
    const { buffer } = this.#scanner.memory;
    if (this.#memory.buffer !== buffer) this.#memory = Buffer.from(buffer);
  }
}

type Words<T> = new (buffer: ArrayBuffer) => T;
