import type { Day } from "../model/day.js";
import type { EventBlock } from "./event-block.js";

/** Returns the events of a block on days after `last`: the block itself if these are all of its events. */
export function eventsAfter(last: Day, block: EventBlock): EventBlock {
  if (block.days.every((day) => day > last)) return block;
  const kept = Int32Array.from(block.day.keys()).filter((index) => (block.day[index] ?? last) > last);
  const pick = <Column extends Columns>(column: Column): Column => {
    const picked = column.slice(0, kept.length) as Column;
    for (const [to, from] of kept.entries()) picked[to] = column[from] as Column[number];
    return picked;
  };
  return {
    length: kept.length,
    apps: block.apps,
    labels: block.labels,
    days: block.days.filter((day) => day > last),
    app: pick(block.app),
    day: pick(block.day),
    millisecond: pick(block.millisecond),
    keyHigh: pick(block.keyHigh),
    keyLow: pick(block.keyLow),
    type: pick(block.type),
    label: pick(block.label),
    notification: pick(block.notification),
  };
}

type Columns = Int32Array | Uint32Array | Uint8Array | BigUint64Array;
