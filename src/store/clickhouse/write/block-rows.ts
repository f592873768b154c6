import { setImmediate as nextTick } from "node:timers/promises";
import { at } from "../../../model/collections.js";
import type { Day } from "../../../model/day.js";
import type { ProjectNumber } from "../../../model/names.js";
import { NameList, NONE, numbered, type StateColumns, statesIn } from "../../state-block.js";
import { StateMerger, type UnnamedStates } from "../../state-merger.js";
import { RowWriter } from "../row-binary.js";
import { RowHeads } from "./row-heads.js";
import { writeAccepted, writeLeast, writeNoAccepted } from "./state-values.js";

const encoder = new TextEncoder();
/** Number of states to process in one event loop tick. Other work of this thread runs between ticks. */
const STATES_A_TICK = 10_000;
/** Maximum number of states to merge together, to limit memory use. A typical import has fewer. */
const STATES_TOGETHER = 131_072;
/** Maximum size of memory that is used again, in bytes. The largest inserts need about 45 MB. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Converts message states to rows of `message_states`. If states of a message are close together, they share a row.
 * Uses the same memory for each insert, because new memory would have to be cleared, and collected later.
 */
export class BlockRows {
  #merger = new StateMerger(0);
  #rows = new RowWriter();

  /** All rows, until {@link reuse}. */
  get bytes(): Buffer {
    return this.#rows.bytes;
  }

  /** Removes all rows. The next ones use their memory, so that nothing may still read it. */
  reuse(): void {
    if (this.#rows.room <= MAX_KEPT_BYTES) this.#rows.clear();
    else this.#rows = new RowWriter();
  }

  /** Removes all rows without using their memory again. Also required if rows were not added completely. */
  discard(): void {
    this.#merger = new StateMerger(0);
    this.#rows = new RowWriter();
  }

  /** Adds rows for the states of some days. Must not be called again before it has finished. */
  async add(project: ProjectNumber, blocks: readonly StateColumns[], days: ReadonlySet<Day>): Promise<void> {
    const heads = new RowHeads(project);
    const names: Names = { apps: [], labels: [] };
    const apps = new NameList([], (app) => names.apps.push(app));
    const labels = new NameList([], (label) => names.labels.push(encoder.encode(label)));
    const merger = this.#mergerFor(Math.min(statesIn(blocks), STATES_TOGETHER));
    const writeMerged = async (): Promise<void> => {
      const states = merger.take();
      for (let start = 0; start < states.length; start += STATES_A_TICK) {
        writeRows(this.#rows, states, start, Math.min(states.length, start + STATES_A_TICK), heads, names);
        await nextTick();
      }
    };
    for (const states of blocks) {
      const numberedStates = numbered(states, apps, labels);
      for (let start = 0, end = 0; start < states.length; start = end) {
        if (merger.room === 0) await writeMerged();
        end = Math.min(states.length, start + Math.min(merger.room, STATES_A_TICK));
        merger.addStates(numberedStates, start, end, days);
        await nextTick();
      }
    }
    await writeMerged();
  }

  #mergerFor(capacity: number): StateMerger {
    if (this.#merger.room < capacity) this.#merger = new StateMerger(capacity);
    return this.#merger;
  }
}

/** Names by number. Labels are encoded. */
interface Names {
  readonly apps: string[];
  readonly labels: Uint8Array[];
}

/**
 * Writes the states with indexes from `start` to `end` (exclusive) in the engine's internal format. A minimum is a flag
 * and the value; a bitwise OR consists of the bits.
 */
function writeRows(
  rows: RowWriter,
  states: UnnamedStates,
  start: number,
  end: number,
  heads: RowHeads,
  { apps, labels }: Names,
): void {
  for (let i = start; i < end; i++) {
    rows.raw(heads.of(at(states.day, i), at(apps, at(states.app, i))));
    for (let word = 2 * i; word < 2 * i + 2; word++) rows.uint32(at(states.keyHigh, word));
    for (let word = 2 * i; word < 2 * i + 2; word++) rows.uint32(at(states.keyLow, word));
    const acceptedAt = at(states.acceptedAt, i);
    if (acceptedAt === NONE) writeNoAccepted(rows);
    else writeAccepted(rows, acceptedAt, at(labels, at(states.label, i)), at(states.notification, i) === 1);
    writeLeast(rows, leastOf(at(states.outcome, i)));
    writeLeast(rows, leastOf(at(states.proxy, i)));
    rows.uint32(at(states.seen, i));
  }
}

const leastOf = (value: number): number | undefined => (value === NONE ? undefined : value);
