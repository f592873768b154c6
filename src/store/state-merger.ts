import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import type { Day } from "../model/day.js";
import type { EventBlock } from "./event-block.js";
import { OUTCOMES, PROXY_RESULTS } from "./event-type-words.js";
import { NameList } from "./name-list.js";
import { type MergedStates, NONE, type StateBlock } from "./state-block.js";

/**
 * Merges events of a project into partial states of messages: what is merged here, an engine neither receives nor keeps
 * nor merges. A message usually has one state a day. It may have several, which the engine merges: one for each ACCEPTED,
 * and further ones where finding the first would cost more than a row.
 */
export class StateMerger {
  readonly #capacity: number;
  #apps = new NameList();
  #labels = new NameList([""]);
  #length = 0;
  readonly #app: Int32Array;
  readonly #day: Int32Array;
  /** Halves of the keys as two words each, which cost less than numbers of 64 bits. */
  readonly #keyHigh: Uint32Array;
  readonly #keyLow: Uint32Array;
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
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#app = new Int32Array(capacity);
    this.#day = new Int32Array(capacity);
    this.#keyHigh = new Uint32Array(2 * capacity);
    this.#keyLow = new Uint32Array(2 * capacity);
    this.#acceptedAt = new Uint32Array(capacity);
    this.#label = new Int32Array(capacity);
    this.#notification = new Uint8Array(capacity);
    this.#outcome = new Uint32Array(capacity);
    this.#proxy = new Uint32Array(capacity);
    this.#seen = new Uint32Array(capacity);
    this.#latest = new Int32Array(2 ** Math.ceil(Math.log2(2 * Math.max(1, capacity))));
  }

  get length(): number {
    return this.#length;
  }

  /** Number of events or states that fit, whichever they are. */
  get room(): number {
    return this.#capacity - this.#length;
  }

  /** Adds the events of a block. */
  addEvents(events: EventBlock): void {
    const [keyHigh, keyLow] = [wordsOf(events.keyHigh), wordsOf(events.keyLow)];
    const apps = this.#apps.indexesOf(events.apps);
    const labels = this.#labels.indexesOf(events.labels);
    for (let i = 0; i < events.length; i++) {
      const type = events.type[i] ?? 0;
      const millisecond = events.millisecond[i] ?? 0;
      const isAccepted = type === EventType.ACCEPTED;
      const state = this.#stateOf(keyHigh, keyLow, i, events.day[i] ?? 0, isAccepted);
      this.#app[state] = apps[events.app[i] ?? 0] ?? 0;
      if (isAccepted) {
        this.#accept(state, millisecond, labels[events.label[i] ?? 0] ?? 0, events.notification[i] ?? 0);
      }
      const bit = 1 << type;
      const rank = 32 * millisecond + type;
      this.#merge(
        state,
        (bit & OUTCOMES) !== 0 ? rank : NONE,
        (bit & PROXY_RESULTS) !== 0 ? rank : NONE,
        bit,
      );
    }
  }

  /** Adds those of the states `[start, end)` of others that are of some days. */
  addStates(states: MergedStates, start: number, end: number, days: ReadonlySet<Day>): void {
    const apps = this.#apps.indexesOf(states.apps);
    const labels = this.#labels.indexesOf(states.labels);
    for (let i = start; i < end; i++) {
      const day = states.day[i] ?? 0;
      if (!days.has(day)) continue;
      const acceptedAt = states.acceptedAt[i] ?? NONE;
      const isAccepted = acceptedAt !== NONE;
      const state = this.#stateOf(states.keyHigh, states.keyLow, i, day, isAccepted);
      this.#app[state] = apps[states.app[i] ?? 0] ?? 0;
      if (isAccepted) {
        this.#accept(state, acceptedAt, labels[states.label[i] ?? 0] ?? 0, states.notification[i] ?? 0);
      }
      this.#merge(state, states.outcome[i] ?? NONE, states.proxy[i] ?? NONE, states.seen[i] ?? 0);
    }
  }

  /** Returns the states, and forgets them. */
  take(): MergedStates {
    const n = this.#length;
    const states = {
      length: n,
      apps: this.#apps.names,
      labels: this.#labels.names,
      app: this.#app.slice(0, n),
      day: this.#day.slice(0, n),
      keyHigh: this.#keyHigh.slice(0, 2 * n),
      keyLow: this.#keyLow.slice(0, 2 * n),
      acceptedAt: this.#acceptedAt.slice(0, n),
      label: this.#label.slice(0, n),
      notification: this.#notification.slice(0, n),
      outcome: this.#outcome.slice(0, n),
      proxy: this.#proxy.slice(0, n),
      seen: this.#seen.slice(0, n),
    };
    this.#length = 0;
    this.#latest.fill(0);
    this.#apps = new NameList();
    this.#labels = new NameList([""]);
    return states;
  }

  /** Sets the ACCEPTED of a state, which has none. */
  #accept(state: number, acceptedAt: number, label: number, notification: number): void {
    this.#acceptedAt[state] = acceptedAt;
    this.#label[state] = label;
    this.#notification[state] = notification;
  }

  /** Merges ranks, or {@link NONE}, and a set of types into a state. */
  #merge(state: number, outcome: number, proxy: number, seen: number): void {
    if (outcome < (this.#outcome[state] ?? 0)) this.#outcome[state] = outcome;
    if (proxy < (this.#proxy[state] ?? 0)) this.#proxy[state] = proxy;
    this.#seen[state] = (this.#seen[state] ?? 0) | seen;
  }

  /**
   * Returns the state of the message whose key stands at `index`. Begins a new one if no state of the message is found, or
   * if it has an ACCEPTED already and gets another.
   */
  #stateOf(keyHigh: Uint32Array, keyLow: Uint32Array, index: number, day: Day, isAccepted: boolean): number {
    const high0 = keyHigh[2 * index] ?? 0;
    const high1 = keyHigh[2 * index + 1] ?? 0;
    const low0 = keyLow[2 * index] ?? 0;
    const low1 = keyLow[2 * index + 1] ?? 0;
    const place = low0 & (this.#latest.length - 1);
    const latest = (this.#latest[place] ?? 0) - 1;
    if (
      latest >= 0 &&
      this.#keyHigh[2 * latest] === high0 &&
      this.#keyHigh[2 * latest + 1] === high1 &&
      this.#keyLow[2 * latest] === low0 &&
      this.#keyLow[2 * latest + 1] === low1 &&
      this.#day[latest] === day &&
      !(isAccepted && this.#acceptedAt[latest] !== NONE)
    ) {
      return latest;
    }
    const state = this.#length++;
    this.#latest[place] = state + 1;
    this.#day[state] = day;
    this.#keyHigh[2 * state] = high0;
    this.#keyHigh[2 * state + 1] = high1;
    this.#keyLow[2 * state] = low0;
    this.#keyLow[2 * state + 1] = low1;
    this.#acceptedAt[state] = NONE;
    this.#label[state] = 0;
    this.#notification[state] = 0;
    this.#outcome[state] = NONE;
    this.#proxy[state] = NONE;
    this.#seen[state] = 0;
    return state;
  }
}

/** Merges the events of a block. */
export function mergeEvents(events: EventBlock): StateBlock {
  const merger = new StateMerger(events.length);
  merger.addEvents(events);
  return { ...merger.take(), days: countByDay(events) };
}

function countByDay({ day: days, length }: EventBlock): ReadonlyMap<Day, number> {
  const counts = new Map<Day, number>();
  for (let start = 0, end = 0; start < length; start = end) {
    const day = days[start] ?? 0;
    // Most events have the day of the one before.
    while (end < length && days[end] === day) end++;
    counts.set(day, (counts.get(day) ?? 0) + end - start);
  }
  return counts;
}

/** The low and high words of numbers. All platforms are little-endian. */
const wordsOf = ({ buffer, byteOffset, length }: BigUint64Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, 2 * length);
