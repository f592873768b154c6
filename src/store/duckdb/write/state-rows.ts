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

/**
 * Converts states to rows for the engine. Each row has a list of states in every column. All states are ordered by day,
 * so that retention removes consecutive rows. Loops index arrays directly, because `at`, which the whole program uses for
 * arrays of all types, needs twice the time here.
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
  /** Index of each block's first state. */
  #starts: readonly number[] = [];
  /** Indexes of the states in all blocks together, ordered by day. */
  #order: Int32Array = new Int32Array();
  /** Number of states that the engine has fetched. */
  #fetched = 0;

  /** Sets the states to convert. Drops all others. */
  set(blocks: readonly NumberedStates[]): void {
    let length = 0;
    this.#blocks = blocks;
    this.#starts = blocks.map(({ states }) => {
      length += states.length;
      return length - states.length;
    });
    this.#order = orderByDay(blocks.map(({ states }) => states.day));
    this.#fetched = 0;
  }

  /** Fills a chunk with one row, in the columns {@link STATE_COLUMNS}. After the last state, the chunk is empty. */
  fill(chunk: DuckDBDataChunk): void {
    const order = this.#order.subarray(this.#fetched, this.#fetched + LIST_STATES);
    const { length } = order;
    chunk.rowCount = length === 0 ? 0 : 1;
    if (length === 0) return;
    this.#fetched += length;
    this.#copy(order);
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
      copyListInto(chunk, index, length, column.subarray(0, length * (column.length / LIST_STATES)));
    }
  }

  /** Copies the states with some indexes to the columns. */
  #copy(order: Int32Array): void {
    for (let to = 0; to < order.length; ) {
      const first = order[to] as number;
      const block = this.#starts.findLastIndex((start) => start <= first);
      to = this.#copyOfBlock(at(this.#blocks, block), at(this.#starts, block), order, to);
    }
  }

  /**
   * Copies states of one block, beginning with the one at `from` in the order, until the order continues with another
   * block.
   *
   * @param start index of the block's first state.
   * @returns the place after the last copied state.
   */
  #copyOfBlock(
    { states, apps, labels }: NumberedStates,
    start: number,
    order: Int32Array,
    from: number,
  ): number {
    let to = from;
    while (
      to < order.length &&
      (order[to] as number) >= start &&
      (order[to] as number) < start + states.length
    )
      to++;
    const rows = order.subarray(from, to);
    copyPairs(states.keyHigh, start, rows, this.#keysHigh, from);
    copyPairs(states.keyLow, start, rows, this.#keysLow, from);
    const { day, app, acceptedAt, label, notification, outcome, proxy, seen } = states;
    const [days, appNumbers, accepted] = [this.#days, this.#apps, this.#accepted];
    const [outcomes, proxies, allSeen] = [this.#outcomes, this.#proxies, this.#seen];
    for (let index = 0; index < rows.length; index++) {
      const row = (rows[index] as number) - start;
      const place = from + index;
      days[place] = day[row] as number;
      appNumbers[place] = apps[app[row] as number] as number;
      const millisecond = acceptedAt[row] as number;
      const hasAccepted = millisecond !== NONE;
      // Format: milliseconds << 33 | label << 1 | notification
      accepted[2 * place] = hasAccepted
        ? 2 * (labels[label[row] as number] as number) + (notification[row] as number)
        : NONE;
      accepted[2 * place + 1] = hasAccepted ? 2 * millisecond : NONE;
      outcomes[place] = outcome[row] as number;
      proxies[place] = proxy[row] as number;
      allSeen[place] = seen[row] as number;
    }
    return to;
  }
}

/** Copies some rows of a block's pairs of words. @param start index of the block's first row. */
function copyPairs(
  from: Uint32Array,
  start: number,
  rows: Int32Array,
  into: Uint32Array,
  place: number,
): void {
  for (let index = 0; index < rows.length; index++) {
    const word = 2 * ((rows[index] as number) - start);
    const to = 2 * (place + index);
    into[to] = from[word] as number;
    into[to + 1] = from[word + 1] as number;
  }
}

/** Maximum number of groups of days that are ordered. It limits the memory for days that are far apart. */
const MAX_GROUPS = 65_536;

/** Returns the indexes of all values together, ordered by value. Values that are far apart need not be in order. */
function orderByDay(parts: readonly Int32Array[]): Int32Array {
  let [first, last, length] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const days of parts) {
    length += days.length;
    for (let row = 0; row < days.length; row++) {
      first = Math.min(first, days[row] as number);
      last = Math.max(last, days[row] as number);
    }
  }
  // A group has 2^`shift` consecutive days.
  let shift = 0;
  while ((last - first) >> shift >= MAX_GROUPS) shift++;
  const counts = new Int32Array(length === 0 ? 0 : ((last - first) >> shift) + 1);
  for (const days of parts) {
    for (let row = 0; row < days.length; row++) {
      const group = ((days[row] as number) - first) >> shift;
      counts[group] = (counts[group] as number) + 1;
    }
  }
  let sum = 0;
  /** Place of each group's next value. */
  const places = counts.map((count) => {
    sum += count;
    return sum - count;
  });
  const order = new Int32Array(length);
  let index = 0;
  for (const days of parts) {
    for (let row = 0; row < days.length; row++) {
      const group = ((days[row] as number) - first) >> shift;
      const place = places[group] as number;
      order[place] = index++;
      places[group] = place + 1;
    }
  }
  return order;
}

/** Copies a column into a chunk's only row, as a list of `length` values. Otherwise like {@link copyInto}. */
function copyListInto(chunk: DuckDBDataChunk, index: number, length: number, column: ArrayBufferView): void {
  const list = bindings.data_chunk_get_vector(chunk.chunk, index);
  bindings.list_vector_reserve(list, length);
  bindings.list_vector_set_size(list, length);
  copyToVector(bindings.list_vector_get_child(list), column);
  copyToVector(list, BigUint64Array.of(0n, BigInt(length)));
}

/** Copies a column of fixed width without NULL into a chunk, at most as many values as rows. Both have the same memory layout. */
export function copyInto(chunk: DuckDBDataChunk, index: number, column: ArrayBufferView): void {
  copyToVector(bindings.data_chunk_get_vector(chunk.chunk, index), column);
}

function copyToVector(vector: Vector, { buffer, byteOffset, byteLength }: ArrayBufferView): void {
  bindings.copy_data_to_vector(vector, 0, buffer as ArrayBuffer, byteOffset, byteLength);
}
