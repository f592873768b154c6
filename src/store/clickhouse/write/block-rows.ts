import { setImmediate as nextTurn } from "node:timers/promises";
import { at } from "../../../model/collections.js";
import type { Day } from "../../../model/day.js";
import { NONE, type StateColumns, statesIn } from "../../state-block.js";
import { StateMerger } from "../../state-merger.js";
import { RowWriter } from "../row-binary.js";
import { RowHeads } from "./row-heads.js";
import { writeAccepted, writeLeast, writeNoAccepted } from "./state-values.js";

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();
/** Number of states after which other work of this thread gets a turn. */
const STATES_A_TURN = 10_000;
/** Maximum number of states that are merged with each other, which bounds the memory: more than those of a usual import. */
const STATES_TOGETHER = 131_072;
/** Bytes of most rows. */
const ROW_BYTES = 128;

/**
 * Returns the states in blocks on some days as rows of `message_states`, in parts. States of a message that are not far
 * from each other share a row.
 */
export async function blockRows(
  project: string,
  blocks: readonly StateColumns[],
  days: ReadonlySet<Day>,
): Promise<readonly Buffer[]> {
  const merger = new StateMerger(Math.min(statesIn(blocks), STATES_TOGETHER));
  const heads = new RowHeads(project);
  const parts: Buffer[] = [];
  const takeRows = async (): Promise<void> => {
    const states = merger.take();
    const rows = new RowWriter(ROW_BYTES * states.length);
    const labels = states.labels.map((label) => encoder.encode(label));
    for (let start = 0; start < states.length; start += STATES_A_TURN) {
      writeRows(rows, states, start, Math.min(states.length, start + STATES_A_TURN), heads, labels);
      await nextTurn();
    }
    parts.push(rows.bytes);
  };
  for (const block of blocks) {
    for (let start = 0, end = 0; start < block.length; start = end) {
      if (merger.room === 0) await takeRows();
      end = Math.min(block.length, start + Math.min(merger.room, STATES_A_TURN));
      merger.addStates(block, start, end, days);
      await nextTurn();
    }
  }
  await takeRows();
  return parts;
}

/**
 * Writes the states `[start, end)`. Their columns have the engine's own form: of a minimum, whether there is a value, and
 * the value; of a bitwise OR, the bits.
 */
function writeRows(
  rows: RowWriter,
  states: StateColumns,
  start: number,
  end: number,
  heads: RowHeads,
  labels: readonly Uint8Array[],
): void {
  for (let i = start; i < end; i++) {
    rows.raw(heads.of(at(states.day, i), at(states.apps, at(states.app, i))));
    for (let word = 2 * i; word < 2 * i + 2; word++) rows.uint32(states.keyHigh[word] ?? 0);
    for (let word = 2 * i; word < 2 * i + 2; word++) rows.uint32(states.keyLow[word] ?? 0);
    const acceptedAt = states.acceptedAt[i] ?? NONE;
    if (acceptedAt === NONE) writeNoAccepted(rows);
    else
      writeAccepted(rows, acceptedAt, labels[states.label[i] ?? 0] ?? NOTHING, states.notification[i] === 1);
    writeLeast(rows, leastOf(states.outcome[i]));
    writeLeast(rows, leastOf(states.proxy[i]));
    rows.uint32(states.seen[i] ?? 0);
  }
}

const leastOf = (value: number | undefined): number | undefined => (value === NONE ? undefined : value);
