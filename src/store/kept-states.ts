import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { at } from "../model/collections.js";
import type { Day } from "../model/day.js";
import { NONE, type StateBlock } from "./state-block.js";

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
