import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { at } from "../model/collections.js";
import { BEFORE_ALL_DAYS, type Day } from "../model/day.js";
import type { DatedNames, EventNames } from "../model/names.js";

/** Marks an absent value in {@link StateColumns}. It is larger than any time or rank. */
export const NONE = 0xffff_ffff;

/**
 * Partial message states of one project, in columns. A partial state summarizes some of a message's events on one day.
 * A message may have any number of partial states, which a rollup merges.
 */
export interface StateColumns {
  /** Number of states. Columns have this length unless stated otherwise. */
  readonly length: number;
  readonly apps: readonly string[];
  /** Distinct analytics labels. The first is the empty label. */
  readonly labels: readonly string[];
  /** Index of the app in {@link apps}. */
  readonly app: Int32Array;
  /** Day in America/Los_Angeles, as days since 1970-01-01. */
  readonly day: Int32Array;
  /** Upper and lower half of a 128-bit digest of app id and message id. Each half has two words, lower word first. */
  readonly keyHigh: Uint32Array;
  readonly keyLow: Uint32Array;
  /**
   * Time of the ACCEPTED event, in milliseconds since the day began, or {@link NONE} if the state has no such event.
   */
  readonly acceptedAt: Uint32Array;
  /** Index of the ACCEPTED event's label in {@link labels}, or 0 if the state has no such event. */
  readonly label: Int32Array;
  /** 1 if the state has an ACCEPTED event with a notification, otherwise 0. */
  readonly notification: Uint8Array;
  /**
   * Lowest rank of the state's outcome events, or {@link NONE} if the state has no outcome. An event's rank is 32 times
   * the milliseconds since the day began, plus its event type number.
   */
  readonly outcome: Uint32Array;
  /** Lowest rank of the state's proxy results, or {@link NONE} if the state has no proxy result. */
  readonly proxy: Uint32Array;
  /** Set of the state's event types. Bit n represents event type n. */
  readonly seen: Uint32Array;
}

/**
 * Merged events from a part of an import. A block does not depend on any store, because its indexes refer to its own
 * names. It can therefore be stored again, or in another engine.
 */
export interface StateBlock extends StateColumns {
  /** Number of events by day. */
  readonly days: ReadonlyMap<Day, number>;
}

/** States, with a number for each of their names: an id in a database, or an index in a common list. */
export interface NumberedStates {
  readonly states: StateColumns;
  /** Numbers of the states' apps and labels, by index. */
  readonly apps: Int32Array;
  readonly labels: Int32Array;
}

/** Assigns indexes to distinct names. */
export class NameList {
  readonly #indexes: Map<string, number>;
  readonly #onAdded: ((name: string) => void) | undefined;

  /**
   * @param first names that get the first indexes.
   * @param onAdded called for each other name that is added.
   */
  constructor(first: readonly string[] = [], onAdded?: (name: string) => void) {
    this.#indexes = new Map(first.map((name, index) => [name, index]));
    this.#onAdded = onAdded;
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
    this.#onAdded?.(name);
    return index;
  }
}

/** Numbers the names of states by common lists. */
export const numbered = (states: StateColumns, apps: NameList, labels: NameList): NumberedStates => ({
  states,
  apps: Int32Array.from(states.apps, (name) => apps.indexOf(name)),
  labels: Int32Array.from(states.labels, (name) => labels.indexOf(name)),
});

/** Counts the events in blocks by day. */
export function eventsByDay(blocks: readonly StateBlock[]): ReadonlyMap<Day, number> {
  const total = new Map<Day, number>();
  for (const { days } of blocks) {
    for (const [day, events] of days) total.set(day, (total.get(day) ?? 0) + events);
  }
  return total;
}

/** Counts events by day. @param days day of each event. */
export function countByDay(days: Int32Array): ReadonlyMap<Day, number> {
  const counts = new Map<Day, number>();
  for (let start = 0, end = 0; start < days.length; start = end) {
    const day = days[start] as number;
    // Usually, an event has the same day as the previous event.
    while (days[end] === day) end++;
    counts.set(day, (counts.get(day) ?? 0) + end - start);
  }
  return counts;
}

/** Returns the distinct apps and labels in blocks in order of first use, without the empty label. */
export const namesOf = (blocks: readonly StateBlock[]): EventNames => ({
  apps: [...new Set(blocks.flatMap(({ apps }) => apps))],
  labels: [...new Set(blocks.flatMap(({ labels }) => labels.slice(1)))],
});

/** Returns the distinct apps and labels in blocks, each with the last day on which it occurs. */
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

export const statesIn = (blocks: readonly StateColumns[]): number =>
  blocks.reduce((sum, { length }) => sum + length, 0);

export const eventsOf = (blocks: readonly StateBlock[]): number =>
  blocks.reduce((sum, { days }) => [...days.values()].reduce((sum, events) => sum + events, sum), 0);

/** Apps and labels to remove from a block, together with their events. */
export interface LeftOut {
  readonly apps: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
}

/**
 * Returns the states of days after `last`, without unused names. Returns the block itself if all its states are after
 * `last`.
 */
export function statesAfter(last: Day, block: StateBlock): StateBlock {
  const days = [...block.days].filter(([day]) => day > last);
  if (days.length === block.days.size) return block;
  return pickStates(block, (row) => at(block.day, row) > last, new Map(days));
}

/**
 * Leaves some apps' events, and ACCEPTED events with some labels, out of a block. Also removes unused names. The result
 * is exact, because each state belongs to one app and contains at most one ACCEPTED event.
 *
 * @param days number of remaining events by day.
 */
export function statesWithout(
  { apps, labels }: LeftOut,
  block: StateBlock,
  days: StateBlock["days"],
): StateBlock {
  const [isAppOut, isLabelOut] = [flagsOf(block.apps, apps), flagsOf(block.labels, labels)];
  const acceptedAt = block.acceptedAt.slice();
  const label = block.label.slice();
  const notification = block.notification.slice();
  const seen = block.seen.slice();
  for (let row = 0; row < block.length; row++) {
    if (isLabelOut[at(label, row)] !== 1) continue;
    acceptedAt[row] = NONE;
    label[row] = 0;
    notification[row] = 0;
    seen[row] = at(seen, row) & ~(1 << EventType.ACCEPTED);
  }
  return pickStates(
    { ...block, acceptedAt, label, notification, seen },
    (row) => seen[row] !== 0 && isAppOut[at(block.app, row)] !== 1,
    days,
  );
}

/** Returns a flag for each name: 1 if `others` contains the name, otherwise 0. */
export const flagsOf = (names: readonly string[], others: ReadonlySet<string>): Uint8Array =>
  Uint8Array.from(names, (name) => (others.has(name) ? 1 : 0));

function pickStates(
  block: StateBlock,
  isKept: (row: number) => boolean,
  days: StateBlock["days"],
): StateBlock {
  const kept = Int32Array.from(block.day.keys()).filter(isKept);
  const pick = <Column extends Columns>(column: Column, words = 1): Column => {
    const picked = column.slice(0, words * kept.length) as Column;
    for (let to = 0; to < kept.length; to++) {
      const from = at(kept, to);
      for (let word = 0; word < words; word++) {
        picked[words * to + word] = column[words * from + word] as Column[number];
      }
    }
    return picked;
  };
  const [app, apps] = withUsedNames(pick(block.app), block.apps);
  const [label, labels] = withUsedNames(pick(block.label), block.labels, 1);
  return {
    length: kept.length,
    apps,
    labels,
    days,
    app,
    day: pick(block.day),
    keyHigh: pick(block.keyHigh, 2),
    keyLow: pick(block.keyLow, 2),
    acceptedAt: pick(block.acceptedAt),
    label,
    notification: pick(block.notification),
    outcome: pick(block.outcome),
    proxy: pick(block.proxy),
    seen: pick(block.seen),
  };
}

/**
 * Removes unused names. Returns the new indexes and names, in the same order as before. Always keeps the `first` names.
 */
function withUsedNames(
  indexes: Int32Array,
  names: readonly string[],
  first = 0,
): readonly [Int32Array, readonly string[]] {
  const isUsed = new Uint8Array(names.length).fill(1, 0, first);
  for (const index of indexes) isUsed[index] = 1;
  const to = new Int32Array(names.length);
  const used = names.filter((_, index) => isUsed[index] === 1);
  for (let index = 0, count = 0; index < names.length; index++) {
    to[index] = count;
    count += at(isUsed, index);
  }
  return [indexes.map((index) => at(to, index)), used];
}

type Columns = Int32Array | Uint32Array | Uint8Array;
