import { setImmediate as nextTurn } from "node:timers/promises";
import type { Day } from "../../../model/day.js";
import type { EventBlock } from "../../event-block.js";
import { RowWriter } from "../row-binary.js";
import { MessageStates } from "./message-states.js";

/** Number of events or states after which other work of this thread gets a turn. */
const ITEMS_A_TURN = 10_000;
/** Maximum number of states that events are merged into, which bounds the memory: more than those of a usual import. */
const STATES_TOGETHER = 131_072;
/** Bytes of most rows. */
const ROW_BYTES = 128;

/**
 * Returns the events of blocks on some days as rows of `message_states`, in parts. Events of a message that are not
 * far from each other share a row.
 */
export async function eventRows(
  project: string,
  blocks: readonly EventBlock[],
  days: ReadonlySet<Day>,
): Promise<readonly Buffer[]> {
  const events = blocks.reduce((sum, { length }) => sum + length, 0);
  const states = new MessageStates(project, Math.min(events, STATES_TOGETHER));
  const parts: Buffer[] = [];
  const takeRows = async (): Promise<void> => {
    const rows = new RowWriter(ROW_BYTES * states.length);
    for (let start = 0; start < states.length; start += ITEMS_A_TURN) {
      states.writeTo(rows, start, Math.min(states.length, start + ITEMS_A_TURN));
      await nextTurn();
    }
    states.clear();
    parts.push(rows.bytes);
  };
  for (const block of blocks) {
    for (let start = 0, end = 0; start < block.length; start = end) {
      if (states.room === 0) await takeRows();
      end = Math.min(block.length, start + Math.min(states.room, ITEMS_A_TURN));
      states.add(block, start, end, days);
      await nextTurn();
    }
  }
  await takeRows();
  return parts;
}
