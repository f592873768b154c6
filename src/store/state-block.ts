import { at } from "../model/collections.js";
import type { Day } from "../model/day.js";
import type { DatedNames, EventNames } from "../model/names.js";

/** Stands for no value in {@link StateColumns}: larger than any time or rank. */
export const NONE = 0xffff_ffff;

/**
 * Partial states of messages of one project, in columns: what the rollup needs to know of some of the events of a message
 * on a day. Any number of them may belong to the same message.
 */
export interface StateColumns {
  /** Number of states, and length of each column, unless that says otherwise. */
  readonly length: number;
  /** Distinct app ids. */
  readonly apps: readonly string[];
  /** Distinct analytics labels; the first is the empty one. */
  readonly labels: readonly string[];
  /** Index into {@link apps}. */
  readonly app: Int32Array;
  /** Day in America/Los_Angeles, in days since 1970-01-01. */
  readonly day: Int32Array;
  /** High and low half of the 128-bit digest of app id and message id: two words each, the low one first. */
  readonly keyHigh: Uint32Array;
  readonly keyLow: Uint32Array;
  /** Time of the ACCEPTED since the first instant of the day, in milliseconds; {@link NONE} without one. */
  readonly acceptedAt: Uint32Array;
  /** Index of its label in {@link labels}; 0 without an ACCEPTED. */
  readonly label: Int32Array;
  /** 1 if it has a notification. */
  readonly notification: Uint8Array;
  /** 32 * milliseconds since the day began + number of the event type, of the least outcome; {@link NONE} without one. */
  readonly outcome: Uint32Array;
  /** Likewise, of the least proxy result. */
  readonly proxy: Uint32Array;
  /** A bit for each type of event, by its number. */
  readonly seen: Uint32Array;
}

/**
 * The message events of a part of an import, merged, as it passes them to a store. A block is independent of any store,
 * since its indexes refer to its own lists of names: it can be sent again, or to another engine, unchanged.
 */
export interface StateBlock extends StateColumns {
  /** Distinct days, with the number of events of each. */
  readonly days: ReadonlyMap<Day, number>;
}

/** Distinct names, each with its index. */
export class NameList {
  readonly #indexes: Map<string, number>;

  /** @param first the names with the first indexes. */
  constructor(first: readonly string[] = []) {
    this.#indexes = new Map(first.map((name, index) => [name, index]));
  }

  /** The names in the order of their indexes. */
  get names(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /** Returns the index of a name, and adds new ones. */
  indexOf(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(name, index);
    return index;
  }
}

/** Counts the events of blocks on each day. */
export function eventsByDay(blocks: readonly StateBlock[]): ReadonlyMap<Day, number> {
  const total = new Map<Day, number>();
  for (const { days } of blocks) {
    for (const [day, events] of days) total.set(day, (total.get(day) ?? 0) + events);
  }
  return total;
}

/** Returns the distinct names in blocks, in the order of their first events; of labels, all but the empty one. */
export const namesOf = (blocks: readonly StateBlock[]): EventNames => ({
  apps: [...new Set(blocks.flatMap(({ apps }) => apps))],
  labels: [...new Set(blocks.flatMap(({ labels }) => labels.slice(1)))],
});

/** Returns the same, each with the last day of its events. */
export function datedNamesOf(blocks: readonly StateColumns[]): DatedNames {
  const [apps, labels] = [new Map<string, Day>(), new Map<string, Day>()];
  for (const block of blocks) {
    addLastDays(apps, block.apps, block.app, block.day);
    addLastDays(labels, block.labels, block.label, block.day);
  }
  labels.delete("");
  return { apps, labels };
}

function addLastDays(
  into: Map<string, Day>,
  names: readonly string[],
  indexes: Int32Array,
  days: Int32Array,
): void {
  const lastDays = new Int32Array(names.length).fill(-0x8000_0000);
  for (const [row, index] of indexes.entries()) {
    lastDays[index] = Math.max(at(lastDays, index), at(days, row));
  }
  for (const [index, name] of names.entries()) {
    const last = at(lastDays, index);
    into.set(name, Math.max(last, into.get(name) ?? last));
  }
}

/** Counts the states in blocks. */
export const statesIn = (blocks: readonly StateColumns[]): number =>
  blocks.reduce((sum, { length }) => sum + length, 0);

/** Counts the events of blocks. */
export const eventsOf = (blocks: readonly StateBlock[]): number =>
  blocks.reduce((sum, { days }) => [...days.values()].reduce((sum, events) => sum + events, sum), 0);
