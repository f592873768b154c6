import type { Day } from "../model/day.js";
import { NONE, type NumberedStates, type StateColumns } from "./state-block.js";

/** Partial message states without the lists of names. Their owner knows the name of each number. */
export type UnnamedStates = Omit<StateColumns, "apps" | "labels">;

/**
 * Merges partial message states of a project, so that the engine receives, stores and merges fewer rows. Usually, a
 * message has one state per day. An additional ACCEPTED event always needs an additional state. A message also gets an
 * additional state if finding its previous one would cost more than a further row.
 */
export class StateMerger {
  readonly #capacity: number;
  #length = 0;
  readonly #app: Int32Array;
  readonly #day: Int32Array;
  /** The message keys, as two words for each half. Words are faster than bigints. */
  readonly #keyHigh: Uint32Array;
  readonly #keyLow: Uint32Array;
  readonly #acceptedAt: Uint32Array;
  readonly #label: Int32Array;
  readonly #notification: Uint8Array;
  readonly #outcome: Uint32Array;
  readonly #proxy: Uint32Array;
  readonly #seen: Uint32Array;
  /**
   * Hash table from a key's last bits to the latest state with these bits, as its index plus 1. If two messages share a
   * slot, the later one replaces the earlier one, which gets an additional state for its next event. Adding a state is
   * therefore equally fast for all keys. This matters because clients control the keys.
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

  /** Number of states that can still be added. */
  get room(): number {
    return this.#capacity - this.#length;
  }

  /**
   * Adds the states with indexes from `start` to `end` (exclusive) that belong to one of `days`. All added states must
   * have common numbers of names.
   */
  addStates(
    { states, apps, labels }: NumberedStates,
    start: number,
    end: number,
    days: ReadonlySet<Day>,
  ): void {
    const { keyHigh, keyLow } = states;
    for (let i = start; i < end; i++) {
      const day = states.day[i] as number;
      if (!days.has(day)) continue;
      const acceptedAt = states.acceptedAt[i] as number;
      const isAccepted = acceptedAt !== NONE;
      const state = this.#stateOf(
        keyHigh[2 * i] as number,
        keyHigh[2 * i + 1] as number,
        keyLow[2 * i] as number,
        keyLow[2 * i + 1] as number,
        day,
        isAccepted,
      );
      this.#app[state] = apps[states.app[i] as number] as number;
      if (isAccepted) {
        this.#acceptedAt[state] = acceptedAt;
        this.#label[state] = labels[states.label[i] as number] as number;
        this.#notification[state] = states.notification[i] as number;
      }
      const [outcome, proxy] = [states.outcome[i] as number, states.proxy[i] as number];
      if (outcome < (this.#outcome[state] as number)) this.#outcome[state] = outcome;
      if (proxy < (this.#proxy[state] as number)) this.#proxy[state] = proxy;
      this.#seen[state] = (this.#seen[state] as number) | (states.seen[i] as number);
    }
  }

  /** Returns all states, and empties the merger. The states are valid until others are added. */
  take(): UnnamedStates {
    const n = this.#length;
    const states = {
      length: n,
      app: this.#app.subarray(0, n),
      day: this.#day.subarray(0, n),
      keyHigh: this.#keyHigh.subarray(0, 2 * n),
      keyLow: this.#keyLow.subarray(0, 2 * n),
      acceptedAt: this.#acceptedAt.subarray(0, n),
      label: this.#label.subarray(0, n),
      notification: this.#notification.subarray(0, n),
      outcome: this.#outcome.subarray(0, n),
      proxy: this.#proxy.subarray(0, n),
      seen: this.#seen.subarray(0, n),
    };
    this.#length = 0;
    this.#latest.fill(0);
    return states;
  }

  /**
   * Returns the state for a key. Adds a state if none is found, or if both the found state and the new one have an
   * ACCEPTED event.
   */
  #stateOf(high0: number, high1: number, low0: number, low1: number, day: Day, isAccepted: boolean): number {
    const place = low0 & (this.#latest.length - 1);
    const latest = (this.#latest[place] as number) - 1;
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
