import { MessageEvent_EventType as EventType } from "../../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import type { Day } from "../../../model/day.js";
import type { EventBlock } from "../../event-block.js";
import { OUTCOMES, PROXY_RESULTS } from "../../event-type-words.js";
import type { RowWriter } from "../row-binary.js";
import { RowHeads } from "./row-heads.js";
import { writeAccepted, writeLeast, writeNoAccepted } from "./state-values.js";

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();
/** Stands for the minimum over no number: larger than any time or rank. */
const NONE = 0xffff_ffff;

/**
 * Events of a project, merged into partial states of messages: what is merged here, the engine neither receives nor
 * keeps nor merges, on each replica. A message usually has one state a day. It may have several, which the engine
 * merges: one for each ACCEPTED, and further ones where finding the first would cost more than a row.
 */
export class MessageStates {
  readonly #capacity: number;
  readonly #heads: RowHeads;
  readonly #labels: Uint8Array[] = [];
  readonly #labelIndexes = new Map<string, number>();
  #length = 0;
  /** The columns of the states. A key is four words, which cost less than two numbers of 64 bits. */
  readonly #key: Uint32Array;
  readonly #day: Int32Array;
  readonly #head: Uint8Array[];
  readonly #acceptedAt: Uint32Array;
  readonly #label: Int32Array;
  readonly #notification: Uint8Array;
  readonly #outcome: Uint32Array;
  readonly #proxy: Uint32Array;
  readonly #seen: Uint32Array;
  /**
   * The latest state with certain last bits of the key, plus 1. It hides earlier ones, whose messages get further
   * states: the time for an event does not depend on the keys, which callers can choose.
   */
  readonly #latest: Int32Array;

  /** @param capacity maximum number of states. */
  constructor(project: string, capacity: number) {
    this.#capacity = capacity;
    this.#heads = new RowHeads(project);
    this.#key = new Uint32Array(4 * capacity);
    this.#day = new Int32Array(capacity);
    this.#head = new Array(capacity);
    this.#acceptedAt = new Uint32Array(capacity);
    this.#label = new Int32Array(capacity);
    this.#notification = new Uint8Array(capacity);
    this.#outcome = new Uint32Array(capacity);
    this.#proxy = new Uint32Array(capacity);
    this.#seen = new Uint32Array(capacity);
    this.#latest = new Int32Array(2 ** Math.ceil(Math.log2(2 * capacity)));
  }

  get length(): number {
    return this.#length;
  }

  /** Number of events that fit, whichever they are. */
  get room(): number {
    return this.#capacity - this.#length;
  }

  /** Adds those of the events `[start, end)` of a block that are of some days. */
  add(events: EventBlock, start: number, end: number, days: ReadonlySet<Day>): void {
    const [keyHigh, keyLow] = [wordsOf(events.keyHigh), wordsOf(events.keyLow)];
    const labels = events.labels.map((label) => this.#labelIndex(label));
    const [key, latest] = [this.#key, this.#latest];
    const places = latest.length - 1;
    const hasOthers = events.days.some((day) => !days.has(day));
    for (let i = start; i < end; i++) {
      const day = events.day[i] ?? 0;
      if (hasOthers && !days.has(day)) continue;
      const type = events.type[i] ?? 0;
      const isAccepted = type === EventType.ACCEPTED;
      const high0 = keyHigh[2 * i] ?? 0;
      const high1 = keyHigh[2 * i + 1] ?? 0;
      const low0 = keyLow[2 * i] ?? 0;
      const low1 = keyLow[2 * i + 1] ?? 0;
      let state = (latest[low0 & places] ?? 0) - 1;
      if (
        state < 0 ||
        key[4 * state] !== high0 ||
        key[4 * state + 1] !== high1 ||
        key[4 * state + 2] !== low0 ||
        key[4 * state + 3] !== low1 ||
        this.#day[state] !== day ||
        (isAccepted && this.#acceptedAt[state] !== NONE)
      ) {
        state = this.#begin(day, events.apps[events.app[i] ?? 0] ?? "");
        key[4 * state] = high0;
        key[4 * state + 1] = high1;
        key[4 * state + 2] = low0;
        key[4 * state + 3] = low1;
        latest[low0 & places] = state + 1;
      }
      const millisecond = events.millisecond[i] ?? 0;
      if (isAccepted) {
        this.#acceptedAt[state] = millisecond;
        this.#label[state] = labels[events.label[i] ?? 0] ?? 0;
        this.#notification[state] = events.notification[i] ?? 0;
      }
      const bit = 1 << type;
      const rank = 32 * millisecond + type;
      if ((bit & OUTCOMES) !== 0 && rank < (this.#outcome[state] ?? 0)) this.#outcome[state] = rank;
      if ((bit & PROXY_RESULTS) !== 0 && rank < (this.#proxy[state] ?? 0)) this.#proxy[state] = rank;
      this.#seen[state] = (this.#seen[state] ?? 0) | bit;
    }
  }

  /**
   * Writes the states `[start, end)` as rows of `message_states`. Their columns have the engine's own form: of a
   * minimum, whether there is a value, and the value; of a bitwise OR, the bits.
   */
  writeTo(rows: RowWriter, start: number, end: number): void {
    for (let state = start; state < end; state++) {
      rows.raw(this.#head[state] ?? NOTHING);
      for (let word = 4 * state; word < 4 * state + 4; word++) rows.uint32(this.#key[word] ?? 0);
      const acceptedAt = this.#acceptedAt[state] ?? NONE;
      if (acceptedAt === NONE) writeNoAccepted(rows);
      else {
        const label = this.#labels[this.#label[state] ?? 0] ?? NOTHING;
        writeAccepted(rows, acceptedAt, label, this.#notification[state] === 1);
      }
      writeLeast(rows, leastOf(this.#outcome[state]));
      writeLeast(rows, leastOf(this.#proxy[state]));
      rows.uint32(this.#seen[state] ?? 0);
    }
  }

  /** Forgets all states. */
  clear(): void {
    this.#length = 0;
    this.#latest.fill(0);
  }

  #begin(day: Day, app: string): number {
    const state = this.#length++;
    this.#day[state] = day;
    this.#head[state] = this.#heads.of(day, app);
    this.#acceptedAt[state] = NONE;
    this.#outcome[state] = NONE;
    this.#proxy[state] = NONE;
    this.#seen[state] = 0;
    return state;
  }

  #labelIndex(label: string): number {
    const known = this.#labelIndexes.get(label);
    if (known !== undefined) return known;
    const index = this.#labels.length;
    this.#labels.push(encoder.encode(label));
    this.#labelIndexes.set(label, index);
    return index;
  }
}

const leastOf = (value: number | undefined): number | undefined => (value === NONE ? undefined : value);

/** The low and high words of numbers. All platforms are little-endian. */
const wordsOf = ({ buffer, byteOffset, length }: BigUint64Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, 2 * length);
