import type { Day } from "../model/day.js";
import type { StateBlock } from "./state-block.js";

/** Returns the states of a block on days after `last`: the block itself if these are all of its states. */
export function statesAfter(last: Day, block: StateBlock): StateBlock {
  const days = [...block.days.keys()];
  if (days.every((day) => day > last)) return block;
  const kept = Int32Array.from(block.day.keys()).filter((index) => (block.day[index] ?? last) > last);
  const pick = <Column extends Columns>(column: Column, words = 1): Column => {
    const picked = column.slice(0, words * kept.length) as Column;
    for (const [to, from] of kept.entries()) {
      for (let word = 0; word < words; word++) {
        picked[words * to + word] = column[words * from + word] as Column[number];
      }
    }
    return picked;
  };
  return {
    length: kept.length,
    apps: block.apps,
    labels: block.labels,
    days: new Map([...block.days].filter(([day]) => day > last)),
    app: pick(block.app),
    day: pick(block.day),
    keyHigh: pick(block.keyHigh, 2),
    keyLow: pick(block.keyLow, 2),
    acceptedAt: pick(block.acceptedAt),
    label: pick(block.label),
    notification: pick(block.notification),
    outcome: pick(block.outcome),
    proxy: pick(block.proxy),
    seen: pick(block.seen),
  };
}

type Columns = Int32Array | Uint32Array | Uint8Array;
