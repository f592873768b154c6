import { at } from "../model/collections.js";
import { BEFORE_ALL_DAYS, type Day } from "../model/day.js";
import type { DatedNames, EventNames } from "../model/names.js";

/** Stands for an absent value in {@link StateColumns}. Larger than any time or rank. */
export const NONE = 0xffff_ffff;

/**
 * Partial message states of one project, in columns. A partial state summarizes some events of a message on one day
 * for the rollup. A message may have any number of them.
 */
export interface StateColumns {
  /** Number of states, and the length of each column unless stated otherwise. */
  readonly length: number;
  /** Distinct app ids. */
  readonly apps: readonly string[];
  /** Distinct analytics labels. The first one is empty. */
  readonly labels: readonly string[];
  /** Index into {@link apps}. */
  readonly app: Int32Array;
  /** Day in America/Los_Angeles, in days since 1970-01-01. */
  readonly day: Int32Array;
  /**
   * High and low half of a 128-bit digest over app id and message id, as two words each. The low word comes first.
   */
  readonly keyHigh: Uint32Array;
  readonly keyLow: Uint32Array;
  /** Time of the ACCEPTED event, in milliseconds since the day began. {@link NONE} without one. */
  readonly acceptedAt: Uint32Array;
  /** Index into {@link labels} for the ACCEPTED event. 0 without one. */
  readonly label: Int32Array;
  /** 1 if the ACCEPTED event has a notification. */
  readonly notification: Uint8Array;
  /**
   * Least rank of an outcome event. A rank is 32 * milliseconds since the day began + event type number. {@link
   * NONE} without an outcome.
   */
  readonly outcome: Uint32Array;
  /** Least rank of a proxy result, in the same form. */
  readonly proxy: Uint32Array;
  /** Event types that occurred, as a bit set by type number. */
  readonly seen: Uint32Array;
}

/**
 * Merged events of a part of an import. A block is independent of any store because its indexes refer to its own
 * names. It can be stored again, or in another engine.
 */
export interface StateBlock extends StateColumns {
  /** Number of events by day. */
  readonly days: ReadonlyMap<Day, number>;
}

/** Assigns indexes to distinct names. */
export class NameList {
  readonly #indexes: Map<string, number>;

  /** @param first names with the first indexes. */
  constructor(first: readonly string[] = []) {
    this.#indexes = new Map(first.map((name, index) => [name, index]));
  }

  /** All names, by index. */
  get names(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /** Returns a name's index. Adds the name if it is new. */
  indexOf(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(name, index);
    return index;
  }
}

/** Counts the events in blocks by day. */
export function eventsByDay(blocks: readonly StateBlock[]): ReadonlyMap<Day, number> {
  const total = new Map<Day, number>();
  for (const { days } of blocks) {
    for (const [day, events] of days) total.set(day, (total.get(day) ?? 0) + events);
  }
  return total;
}

/** Returns the distinct names in blocks, without the empty label, in order of first use. */
export const namesOf = (blocks: readonly StateBlock[]): EventNames => ({
  apps: [...new Set(blocks.flatMap(({ apps }) => apps))],
  labels: [...new Set(blocks.flatMap(({ labels }) => labels.slice(1)))],
});

/** Returns the distinct names in blocks with the last day of their events. */
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
  const lastDays = new Int32Array(names.length).fill(BEFORE_ALL_DAYS);
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

/** Counts the events in blocks. */
export const eventsOf = (blocks: readonly StateBlock[]): number =>
  blocks.reduce((sum, { days }) => [...days.values()].reduce((sum, events) => sum + events, sum), 0);
