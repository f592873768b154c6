import type { Day } from "../model/day.js";
import { NameList } from "./name-list.js";
import type { StateBlock } from "./state-block.js";

/** Returns the states of a block on days after `last`, with their names alone: the block itself if these are all of its states. */
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
  const [apps, labels] = [new NameList(), new NameList([""])];
  const app = pick(block.app).map((index) => apps.indexOf(block.apps[index] ?? ""));
  const label = pick(block.label).map((index) => labels.indexOf(block.labels[index] ?? ""));
  return {
    length: kept.length,
    apps: apps.names,
    labels: labels.names,
    days: new Map([...block.days].filter(([day]) => day > last)),
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

type Columns = Int32Array | Uint32Array | Uint8Array;
