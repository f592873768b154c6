import type { DuckDBDataChunk } from "@duckdb/node-api";
import type { Vector } from "@duckdb/node-bindings";
import { at } from "../../../model/collections.js";
import { NONE, type NumberedStates } from "../../state-block.js";
import { bindings, INTEGER, LIST, UBIGINT, UINTEGER } from "../engine.js";

/**
 * Maximum number of states in a row's lists. For each row, the engine calls this thread, which needs about a millisecond
 * for a full row.
 */
const LIST_STATES = 16_384;

/** Columns of rows with states. The maximum value of each type represents NULL. */
const COLUMNS = {
  day: INTEGER,
  app: INTEGER,
  key_high: UBIGINT,
  key_low: UBIGINT,
  accepted: UBIGINT,
  outcome: UINTEGER,
  proxy: UINTEGER,
  seen: UINTEGER,
} as const;

/** Names and types of the columns in {@link StateRows}. */
export const STATE_COLUMNS = Object.entries(COLUMNS).map(([name, type]) => [name, LIST(type)] as const);

/** A part of a block's states. */
interface Part {
  readonly block: NumberedStates;
  readonly start: number;
  readonly end: number;
}

/**
 * Converts states to rows for the engine. Each row has a list of states in every column, ordered by day. Its memory is
 * used again for the next row.
 */
export class StateRows {
  readonly #days = new Int32Array(LIST_STATES);
  readonly #apps = new Int32Array(LIST_STATES);
  /** Numbers with 64 bits, as pairs of words. The lower word comes first. */
  readonly #keysHigh = new Uint32Array(2 * LIST_STATES);
  readonly #keysLow = new Uint32Array(2 * LIST_STATES);
  readonly #accepted = new Uint32Array(2 * LIST_STATES);
  readonly #outcomes = new Uint32Array(LIST_STATES);
  readonly #proxies = new Uint32Array(LIST_STATES);
  readonly #seen = new Uint32Array(LIST_STATES);
  #blocks: readonly NumberedStates[] = [];
  /** Position of the next state: index of the block, and index in the block. */
  #block = 0;
  #row = 0;

  /** Sets the states to convert. Drops all others. */
  set(blocks: readonly NumberedStates[]): void {
    this.#blocks = blocks;
    this.#block = 0;
    this.#row = 0;
  }

  /** Fills a chunk with one row, in the columns {@link STATE_COLUMNS}. After the last state, the chunk is empty. */
  fill(chunk: DuckDBDataChunk): void {
    const parts = this.#nextParts();
    const states = parts.reduce((sum, { start, end }) => sum + end - start, 0);
    chunk.rowCount = states === 0 ? 0 : 1;
    if (states === 0) return;
    const places = placesByDay(parts);
    for (const part of parts) this.#copy(part, places);
    const columns = [
      this.#days,
      this.#apps,
      this.#keysHigh,
      this.#keysLow,
      this.#accepted,
      this.#outcomes,
      this.#proxies,
      this.#seen,
    ];
    for (const [index, column] of columns.entries()) {
      copyListInto(chunk, index, states, column.subarray(0, states * (column.length / LIST_STATES)));
    }
  }

  /** Returns the next states, at most {@link LIST_STATES}. */
  #nextParts(): readonly Part[] {
    const parts: Part[] = [];
    for (let rows = 0; rows < LIST_STATES; ) {
      const block = this.#blocks[this.#block];
      if (block === undefined) break;
      const start = this.#row;
      const end = Math.min(block.states.length, start + LIST_STATES - rows);
      parts.push({ block, start, end });
      rows += end - start;
      this.#row = end;
      if (end < block.states.length) continue;
      this.#block++;
      this.#row = 0;
    }
    return parts;
  }

  /** Copies states to their places in the list. */
  #copy({ block: { states, apps, labels }, start, end }: Part, places: Places): void {
    const { day, app, keyHigh, keyLow, acceptedAt, label, notification, outcome, proxy, seen } = states;
    const [days, appNumbers, keysHigh, keysLow] = [this.#days, this.#apps, this.#keysHigh, this.#keysLow];
    const [accepted, outcomes, proxies, allSeen] = [
      this.#accepted,
      this.#outcomes,
      this.#proxies,
      this.#seen,
    ];
    for (let index = start; index < end; index++) {
      const to = placeOf(at(day, index), places);
      days[to] = at(day, index);
      appNumbers[to] = at(apps, at(app, index));
      keysHigh[2 * to] = at(keyHigh, 2 * index);
      keysHigh[2 * to + 1] = at(keyHigh, 2 * index + 1);
      keysLow[2 * to] = at(keyLow, 2 * index);
      keysLow[2 * to + 1] = at(keyLow, 2 * index + 1);
      const millisecond = at(acceptedAt, index);
      const hasAccepted = millisecond !== NONE;
      // Format: milliseconds << 33 | label << 1 | notification
      accepted[2 * to] = hasAccepted ? 2 * at(labels, at(label, index)) + at(notification, index) : NONE;
      accepted[2 * to + 1] = hasAccepted ? 2 * millisecond : NONE;
      outcomes[to] = at(outcome, index);
      proxies[to] = at(proxy, index);
      allSeen[to] = at(seen, index);
    }
  }
}

/** Places of states that are ordered by groups of days. A group has 2^`shift` consecutive days. */
interface Places {
  readonly firstDay: number;
  readonly shift: number;
  /** Place of each group's next state. */
  readonly next: Int32Array;
}

/** Counts states by day, to order them. */
function placesByDay(parts: readonly Part[]): Places {
  let [firstDay, lastDay] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { block, start, end } of parts) {
    const { day } = block.states;
    for (let index = start; index < end; index++) {
      firstDay = Math.min(firstDay, at(day, index));
      lastDay = Math.max(lastDay, at(day, index));
    }
  }
  // Days that are very far apart need not be in order. A limited number of groups needs little memory.
  let shift = 0;
  while ((lastDay - firstDay) >> shift >= LIST_STATES) shift++;
  const counts = { firstDay, shift, next: new Int32Array(((lastDay - firstDay) >> shift) + 1) };
  for (const { block, start, end } of parts) {
    const { day } = block.states;
    for (let index = start; index < end; index++) placeOf(at(day, index), counts);
  }
  let place = 0;
  const next = counts.next.map((count) => {
    place += count;
    return place - count;
  });
  return { ...counts, next };
}

/** Returns the next place of a day's group, and advances it. */
function placeOf(day: number, { firstDay, shift, next }: Places): number {
  const group = (day - firstDay) >> shift;
  const place = at(next, group);
  next[group] = place + 1;
  return place;
}

/** Copies a column into a chunk's only row, as a list of `length` values. Otherwise like {@link copyInto}. */
function copyListInto(chunk: DuckDBDataChunk, index: number, length: number, column: ArrayBufferView): void {
  const list = bindings.data_chunk_get_vector(chunk.chunk, index);
  bindings.list_vector_reserve(list, length);
  bindings.list_vector_set_size(list, length);
  copyToVector(bindings.list_vector_get_child(list), column);
  copyToVector(list, BigUint64Array.of(0n, BigInt(length)));
}

/** Copies a column of fixed width without NULL into a chunk. Both have the same memory layout. */
export function copyInto(chunk: DuckDBDataChunk, index: number, column: ArrayBufferView): void {
  copyToVector(bindings.data_chunk_get_vector(chunk.chunk, index), column);
}

function copyToVector(vector: Vector, { buffer, byteOffset, byteLength }: ArrayBufferView): void {
  bindings.copy_data_to_vector(vector, 0, buffer as ArrayBuffer, byteOffset, byteLength);
}
