import { dayOf, startOfDay } from "../../model/day.js";
import type { EventBlock } from "../../store/event-block.js";
import { NameList } from "../../store/name-list.js";
import { digest, halfSipHashes, newDigest } from "./message-key.js";

/** The line of each event of a block, from 1, beside the columns with what can make it a violation later on. */
export interface EventLines extends Pick<EventBlock, "app" | "label" | "day"> {
  readonly line: Uint32Array;
}

/** Key of the hash of app ids, two words; distinct from those of message ids. */
const APP_KEY = [0x6170_7049, 0x6400_0001] as const;

/** Size of an event with short names, in bytes. */
const SHORT_EVENT_BYTES = 96;

/** Builds an {@link EventBlock} from message events, in columns that grow as needed. */
export class EventBlockBuilder {
  #length = 0;
  #capacity = 0;
  #app = new Int32Array();
  #day = new Int32Array();
  #millisecond = new Uint32Array();
  /** Halves of the keys as two words each, which avoids a bigint for each event. */
  #keyHigh = new Uint32Array();
  #keyLow = new Uint32Array();
  #type = new Uint8Array();
  #label = new Int32Array();
  #notification = new Uint8Array();
  #line = new Uint32Array();

  readonly #apps = new NameList();
  readonly #appSeeds: Uint32Array[] = [];
  readonly #labels = new NameList([""]);
  readonly #digest = newDigest();
  /** App and message id of the previous event, whose digest is in {@link #digest}. */
  #lastApp = -1;
  #lastId: Uint8Array = new Uint8Array();
  #lastIdStart = 0;
  #lastIdEnd = 0;
  /** Day of the previous event, which usually is that of the next one too, and its bounds. */
  #lastDay = 0;
  #lastStart = 0;
  #lastEnd = 0;

  get length(): number {
    return this.#length;
  }

  /** Makes room for the events in so many bytes of lines at once, unless they are very short. */
  reserve(bytes: number): void {
    const capacity = this.#length + Math.ceil(bytes / SHORT_EVENT_BYTES);
    if (capacity > this.#capacity) this.#grow(capacity);
  }

  /** Line of each event. */
  get lines(): Uint32Array {
    return this.#line.slice(0, this.#length);
  }

  /** Returns the index of an app in the block. */
  appIndex(appId: string): number {
    const index = this.#apps.indexOf(appId);
    if (index < this.#appSeeds.length) return index;
    const bytes = Buffer.from(appId);
    const hashes = newDigest();
    halfSipHashes(bytes, 0, bytes.length, ...APP_KEY, ...APP_KEY, hashes);
    this.#appSeeds.push(hashes.slice(0, 2));
    return index;
  }

  /** Returns the index of a label in the block, likewise; that of the empty one is 0. */
  labelIndex(label: string): number {
    return this.#labels.indexOf(label);
  }

  /**
   * Adds one event.
   *
   * @param app index of its app; likewise `label`.
   * @param id bytes that contain the message id in UTF-8, at `[idStart, idEnd)`, and do not change.
   * @param eventTime milliseconds since the Unix epoch.
   * @param line number of its line, from 1.
   */
  add(
    app: number,
    id: Uint8Array,
    idStart: number,
    idEnd: number,
    eventTime: number,
    type: number,
    label: number,
    notification: boolean,
    line = 0,
  ): void {
    if (this.#length === this.#capacity) this.#grow(2 * this.#capacity + 1);
    const row = this.#length++;
    if (!this.#isLastMessage(app, id, idStart, idEnd)) {
      const seed = this.#appSeeds[app] as Uint32Array;
      digest(id, idStart, idEnd, seed[0] ?? 0, seed[1] ?? 0, this.#digest);
      this.#lastApp = app;
      this.#lastId = id;
      this.#lastIdStart = idStart;
      this.#lastIdEnd = idEnd;
    }
    this.#keyHigh[2 * row] = this.#digest[0] ?? 0;
    this.#keyHigh[2 * row + 1] = this.#digest[1] ?? 0;
    this.#keyLow[2 * row] = this.#digest[2] ?? 0;
    this.#keyLow[2 * row + 1] = this.#digest[3] ?? 0;
    if (eventTime < this.#lastStart || eventTime >= this.#lastEnd) this.#seek(eventTime);
    this.#app[row] = app;
    this.#day[row] = this.#lastDay;
    this.#millisecond[row] = eventTime - this.#lastStart;
    this.#type[row] = type;
    this.#label[row] = label;
    this.#notification[row] = notification ? 1 : 0;
    this.#line[row] = line;
  }

  /** Returns the block of all events added. The builder must not be used afterwards. */
  build(): EventBlock {
    const n = this.#length;
    return {
      length: n,
      apps: this.#apps.names,
      labels: this.#labels.names,
      app: this.#app.slice(0, n),
      day: this.#day.slice(0, n),
      millisecond: this.#millisecond.slice(0, n),
      keyHigh: new BigUint64Array(this.#keyHigh.slice(0, 2 * n).buffer),
      keyLow: new BigUint64Array(this.#keyLow.slice(0, 2 * n).buffer),
      type: this.#type.slice(0, n),
      label: this.#label.slice(0, n),
      notification: this.#notification.slice(0, n),
    };
  }

  /** Returns true for the message of the previous event: the events of a message often come together. */
  #isLastMessage(app: number, id: Uint8Array, idStart: number, idEnd: number): boolean {
    const last = this.#lastId;
    // Ids usually differ near their ends.
    let [at, lastAt] = [idEnd, this.#lastIdEnd];
    if (app !== this.#lastApp || at - idStart !== lastAt - this.#lastIdStart) return false;
    while (at > idStart) if (id[--at] !== last[--lastAt]) return false;
    return true;
  }

  #seek(eventTime: number): void {
    this.#lastDay = dayOf(eventTime);
    this.#lastStart = startOfDay(this.#lastDay);
    this.#lastEnd = startOfDay(this.#lastDay + 1);
  }

  #grow(capacity: number): void {
    this.#capacity = capacity;
    const enlarge = <T extends Int32Array | Uint32Array | Uint8Array>(column: T, larger: T): T => {
      larger.set(column);
      return larger;
    };
    this.#app = enlarge(this.#app, new Int32Array(capacity));
    this.#day = enlarge(this.#day, new Int32Array(capacity));
    this.#millisecond = enlarge(this.#millisecond, new Uint32Array(capacity));
    this.#keyHigh = enlarge(this.#keyHigh, new Uint32Array(2 * capacity));
    this.#keyLow = enlarge(this.#keyLow, new Uint32Array(2 * capacity));
    this.#type = enlarge(this.#type, new Uint8Array(capacity));
    this.#label = enlarge(this.#label, new Int32Array(capacity));
    this.#notification = enlarge(this.#notification, new Uint8Array(capacity));
    this.#line = enlarge(this.#line, new Uint32Array(capacity));
  }
}
