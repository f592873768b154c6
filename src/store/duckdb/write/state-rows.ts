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
  #order = orderByDay([]);
  /** Number of states that the engine has fetched. */
  #fetched = 0;

  /** Sets the states to convert. Drops all others. */
  set(blocks: readonly NumberedStates[]): void {
    this.#blocks = blocks;
    this.#order = orderByDay(blocks.map(({ states }) => states.day));
    this.#fetched = 0;
  }

  /** Fills a chunk with one row, in the columns {@link STATE_COLUMNS}. After the last state, the chunk is empty. */
  fill(chunk: DuckDBDataChunk): void {
    const [from, to] = [this.#fetched, this.#fetched + LIST_STATES];
    const rows = this.#order.rows.subarray(from, to);
    const { length } = rows;
    chunk.rowCount = length === 0 ? 0 : 1;
    if (length === 0) return;
    this.#fetched += length;
    this.#copy(this.#order.blocks.subarray(from, to), rows);
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

  /** Copies states to the columns. @param blocks index of each state's block. @param rows its index in this block. */
  #copy(blocks: Int32Array, rows: Int32Array): void {
    for (let start = 0, end = 0; start < rows.length; start = end) {
      const block = blocks[start] as number;
      while (blocks[end] === block) end++;
      this.#copyOfBlock(at(this.#blocks, block), rows.subarray(start, end), start);
    }
  }

  /** Copies some rows of a block to the columns, starting at `to`. */
  #copyOfBlock({ states, apps, labels }: NumberedStates, rows: Int32Array, to: number): void {
    const { day, app, keyHigh, keyLow, acceptedAt, label, notification, outcome, proxy, seen } = states;
    const [days, appNumbers, keysHigh, keysLow] = [this.#days, this.#apps, this.#keysHigh, this.#keysLow];
    const [accepted, outcomes, proxies, allSeen] = [
      this.#accepted,
      this.#outcomes,
      this.#proxies,
      this.#seen,
    ];
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] as number;
      const place = to + index;
      days[place] = day[row] as number;
      appNumbers[place] = apps[app[row] as number] as number;
      keysHigh[2 * place] = keyHigh[2 * row] as number;
      keysHigh[2 * place + 1] = keyHigh[2 * row + 1] as number;
      keysLow[2 * place] = keyLow[2 * row] as number;
      keysLow[2 * place + 1] = keyLow[2 * row + 1] as number;
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
  }
}

/** Maximum number of groups of days that are ordered. It limits the memory for days that are far apart. */
const MAX_GROUPS = 65_536;

/** Places of states in an order: for each state, its block and its row there, as indexes. */
interface Order {
  readonly blocks: Int32Array;
  readonly rows: Int32Array;
}

/** Orders the states of blocks by day. Days that are far apart need not be in order. @param days days by block. */
function orderByDay(days: readonly Int32Array[]): Order {
  let [first, last, length] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const ofBlock of days) {
    length += ofBlock.length;
    for (let row = 0; row < ofBlock.length; row++) {
      first = Math.min(first, ofBlock[row] as number);
      last = Math.max(last, ofBlock[row] as number);
    }
  }
  // A group has 2^`shift` consecutive days.
  let shift = 0;
  while ((last - first) >> shift >= MAX_GROUPS) shift++;
  const counts = new Int32Array(length === 0 ? 0 : ((last - first) >> shift) + 1);
  for (const ofBlock of days) {
    for (let row = 0; row < ofBlock.length; row++) {
      const group = ((ofBlock[row] as number) - first) >> shift;
      counts[group] = (counts[group] as number) + 1;
    }
  }
  let sum = 0;
  /** Place of each group's next state. */
  const places = counts.map((count) => {
    sum += count;
    return sum - count;
  });
  const order = { blocks: new Int32Array(length), rows: new Int32Array(length) };
  for (const [block, ofBlock] of days.entries()) {
    for (let row = 0; row < ofBlock.length; row++) {
      const group = ((ofBlock[row] as number) - first) >> shift;
      const place = places[group] as number;
      order.blocks[place] = block;
      order.rows[place] = row;
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

/**
 * Copies a column of fixed width without NULL into a chunk, at most as many values as rows. Both have the same memory
 * layout.
 */
export function copyInto(chunk: DuckDBDataChunk, index: number, column: ArrayBufferView): void {
  copyToVector(bindings.data_chunk_get_vector(chunk.chunk, index), column);
}

function copyToVector(vector: Vector, { buffer, byteOffset, byteLength }: ArrayBufferView): void {
  bindings.copy_data_to_vector(vector, 0, buffer as ArrayBuffer, byteOffset, byteLength);
}
