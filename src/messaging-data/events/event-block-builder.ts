import { type Day, dayOf, startOfDay } from "../../model/day.js";
import type { EventBlock } from "../../store/event-block.js";
import { digest, halfSipHashes, newDigest } from "./message-key.js";

/** Key of the hash of app ids, two words; distinct from those of message ids. */
const APP_KEY = [0x6170_7049, 0x6400_0001] as const;

const FIRST_CAPACITY = 1024;

/** Builds an {@link EventBlock} from message events, in columns that grow as needed. */
export class EventBlockBuilder {
  #length = 0;
  #capacity = FIRST_CAPACITY;
  #app = new Int32Array(FIRST_CAPACITY);
  #day = new Int32Array(FIRST_CAPACITY);
  #millisecond = new Uint32Array(FIRST_CAPACITY);
  /** Halves of the keys as two words each, which avoids a bigint for each event. */
  #keyHigh = new Uint32Array(2 * FIRST_CAPACITY);
  #keyLow = new Uint32Array(2 * FIRST_CAPACITY);
  #type = new Uint8Array(FIRST_CAPACITY);
  #label = new Int32Array(FIRST_CAPACITY);
  #notification = new Uint8Array(FIRST_CAPACITY);

  readonly #days = new Set<Day>();
  readonly #apps = new Map<string, number>();
  readonly #appSeeds: Uint32Array[] = [];
  readonly #labels = new Map<string, number>([["", 0]]);
  readonly #digest = newDigest();
  /** Day of the previous event, which usually is that of the next one too, and its bounds. */
  #lastDay = 0;
  #lastStart = 0;
  #lastEnd = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns the index of an app in the block. */
  appIndex(appId: string): number {
    const known = this.#apps.get(appId);
    if (known !== undefined) return known;
    const index = this.#apps.size;
    this.#apps.set(appId, index);
    const bytes = Buffer.from(appId);
    const hashes = newDigest();
    halfSipHashes(bytes, 0, bytes.length, ...APP_KEY, ...APP_KEY, hashes);
    this.#appSeeds.push(hashes.slice(0, 2));
    return index;
  }

  /** Returns the index of a label in the block; that of the empty one is 0. */
  labelIndex(label: string): number {
    const known = this.#labels.get(label);
    if (known !== undefined) return known;
    const index = this.#labels.size;
    this.#labels.set(label, index);
    return index;
  }

  /**
   * Adds one event.
   *
   * @param app index of its app; likewise `label`.
   * @param id bytes that contain the message id in UTF-8, at `[idStart, idEnd)`.
   * @param eventTime milliseconds since the Unix epoch.
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
  ): void {
    if (this.#length === this.#capacity) this.#grow();
    const row = this.#length++;
    const seed = this.#appSeeds[app] as Uint32Array;
    digest(id, idStart, idEnd, seed[0] ?? 0, seed[1] ?? 0, this.#digest);
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
  }

  /** Returns the block of all events added. The builder must not be used afterwards. */
  build(): EventBlock {
    const n = this.#length;
    return {
      length: n,
      apps: [...this.#apps.keys()],
      labels: [...this.#labels.keys()],
      days: [...this.#days],
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

  #seek(eventTime: number): void {
    this.#lastDay = dayOf(eventTime);
    this.#lastStart = startOfDay(this.#lastDay);
    this.#lastEnd = startOfDay(this.#lastDay + 1);
    this.#days.add(this.#lastDay);
  }

  #grow(): void {
    this.#capacity *= 2;
    const enlarge = <T extends Int32Array | Uint32Array | Uint8Array>(column: T, larger: T): T => {
      larger.set(column);
      return larger;
    };
    this.#app = enlarge(this.#app, new Int32Array(this.#capacity));
    this.#day = enlarge(this.#day, new Int32Array(this.#capacity));
    this.#millisecond = enlarge(this.#millisecond, new Uint32Array(this.#capacity));
    this.#keyHigh = enlarge(this.#keyHigh, new Uint32Array(2 * this.#capacity));
    this.#keyLow = enlarge(this.#keyLow, new Uint32Array(2 * this.#capacity));
    this.#type = enlarge(this.#type, new Uint8Array(this.#capacity));
    this.#label = enlarge(this.#label, new Int32Array(this.#capacity));
    this.#notification = enlarge(this.#notification, new Uint8Array(this.#capacity));
  }
}
