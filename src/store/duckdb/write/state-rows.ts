import type { DuckDBDataChunk } from "@duckdb/node-api";
import { at } from "../../../model/collections.js";
import { NONE, type NumberedStates } from "../../state-block.js";
import { INTEGER, UBIGINT, UINTEGER } from "../engine.js";

/** Number of rows in a data chunk. It is the engine's vector size. */
export const CHUNK_ROWS = 2048;

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
export const STATE_COLUMNS = Object.entries(COLUMNS);

/** Converts an append's states to rows, in chunks for the engine. */
export class StateRows {
  readonly #blocks: readonly NumberedStates[];
  readonly #days = new Int32Array(CHUNK_ROWS);
  readonly #apps = new Int32Array(CHUNK_ROWS);
  /** Numbers with 64 bits, as pairs of words. The lower word comes first. */
  readonly #keysHigh = new Uint32Array(2 * CHUNK_ROWS);
  readonly #keysLow = new Uint32Array(2 * CHUNK_ROWS);
  readonly #accepted = new Uint32Array(2 * CHUNK_ROWS);
  readonly #outcomes = new Uint32Array(CHUNK_ROWS);
  readonly #proxies = new Uint32Array(CHUNK_ROWS);
  readonly #seen = new Uint32Array(CHUNK_ROWS);
  /** Position of the next state: index of the block, and index in the block. */
  #block = 0;
  #row = 0;

  constructor(blocks: readonly NumberedStates[]) {
    this.#blocks = blocks;
  }

  /** Fills a chunk with the next rows, in the columns {@link STATE_COLUMNS}. After the last row, the chunk is empty. */
  fill(chunk: DuckDBDataChunk): void {
    let rows = 0;
    while (rows < CHUNK_ROWS) {
      const block = this.#blocks[this.#block];
      if (block === undefined) break;
      const count = Math.min(CHUNK_ROWS - rows, block.states.length - this.#row);
      this.#copy(block, this.#row, rows, count);
      rows += count;
      this.#row += count;
      if (this.#row < block.states.length) continue;
      this.#block++;
      this.#row = 0;
    }
    chunk.rowCount = rows;
    if (rows === 0) return;
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
      copyInto(chunk, index, column.subarray(0, rows * (column.length / CHUNK_ROWS)));
    }
  }

  /** Copies `count` states of a block, starting at `from`, to rows starting at `to`. */
  #copy({ states, apps, labels }: NumberedStates, from: number, to: number, count: number): void {
    const end = from + count;
    this.#days.set(states.day.subarray(from, end), to);
    this.#keysHigh.set(states.keyHigh.subarray(2 * from, 2 * end), 2 * to);
    this.#keysLow.set(states.keyLow.subarray(2 * from, 2 * end), 2 * to);
    this.#outcomes.set(states.outcome.subarray(from, end), to);
    this.#proxies.set(states.proxy.subarray(from, end), to);
    this.#seen.set(states.seen.subarray(from, end), to);
    const { app, acceptedAt, label, notification } = states;
    const [appNumbers, accepted] = [this.#apps, this.#accepted];
    for (let i = 0; i < count; i++) {
      const index = from + i;
      appNumbers[to + i] = at(apps, at(app, index));
      const millisecond = at(acceptedAt, index);
      const hasAccepted = millisecond !== NONE;
      const word = 2 * (to + i);
      // Format: milliseconds << 33 | label << 1 | notification
      accepted[word] = hasAccepted ? 2 * at(labels, at(label, index)) + at(notification, index) : NONE;
      accepted[word + 1] = hasAccepted ? 2 * millisecond : NONE;
    }
  }
}

/** Copies a column of fixed width into a vector of the chunk. Both have the same memory layout. */
export function copyInto(chunk: DuckDBDataChunk, index: number, column: ArrayBufferView): void {
  const vector = chunk.getColumnVector(index);
  const target = memoryOf(vector);
  new Uint8Array(target.buffer, target.byteOffset, column.byteLength).set(
    new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
  );
  vector.flush();
}

function memoryOf(vector: object): ArrayBufferView {
  const memory = "items" in vector ? vector.items : "dataView" in vector ? vector.dataView : undefined;
  if (!ArrayBuffer.isView(memory)) throw new Error("the vector does not own its memory");
  return memory;
}
