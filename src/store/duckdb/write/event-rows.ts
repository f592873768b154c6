import type { DuckDBDataChunk } from "@duckdb/node-api";
import type { EventBlock } from "../../event-block.js";
import { BIGINT, BOOLEAN, INTEGER, UBIGINT, UINTEGER } from "../engine.js";

/** Number of rows in a data chunk: the engine's vector size. */
export const CHUNK_ROWS = 2048;

/** The columns of the table `events`, in its order. */
export const EVENT_COLUMNS = {
  project: BIGINT,
  day: INTEGER,
  app: INTEGER,
  key_high: UBIGINT,
  key_low: UBIGINT,
  rank: UINTEGER,
  label: INTEGER,
  notification: BOOLEAN,
} as const;

/** A block whose names have numbers in the store. */
export interface NumberedEvents {
  readonly events: EventBlock;
  /** Numbers of the block's apps, in its order; likewise `labels`. */
  readonly apps: Int32Array;
  readonly labels: Int32Array;
}

/** The rows of the table `events` of one append, in chunks as the engine takes them. */
export class EventRows {
  readonly #blocks: readonly NumberedEvents[];
  readonly #projects: BigInt64Array;
  readonly #days = new Int32Array(CHUNK_ROWS);
  readonly #apps = new Int32Array(CHUNK_ROWS);
  readonly #keysHigh = new BigUint64Array(CHUNK_ROWS);
  readonly #keysLow = new BigUint64Array(CHUNK_ROWS);
  readonly #ranks = new Uint32Array(CHUNK_ROWS);
  readonly #labels = new Int32Array(CHUNK_ROWS);
  readonly #notifications = new Uint8Array(CHUNK_ROWS);
  /** The next event: index of its block, and index in the block. */
  #block = 0;
  #row = 0;

  constructor(project: string, blocks: readonly NumberedEvents[]) {
    this.#blocks = blocks;
    this.#projects = new BigInt64Array(CHUNK_ROWS).fill(BigInt(project));
  }

  /** Fills a chunk of {@link EVENT_COLUMNS} with the next rows; it has no rows after the last one. */
  fill(chunk: DuckDBDataChunk): void {
    let rows = 0;
    while (rows < CHUNK_ROWS) {
      const block = this.#blocks[this.#block];
      if (block === undefined) break;
      const count = Math.min(CHUNK_ROWS - rows, block.events.length - this.#row);
      this.#copy(block, this.#row, rows, count);
      rows += count;
      this.#row += count;
      if (this.#row < block.events.length) continue;
      this.#block++;
      this.#row = 0;
    }
    chunk.rowCount = rows;
    if (rows === 0) return;
    const columns = [
      this.#projects,
      this.#days,
      this.#apps,
      this.#keysHigh,
      this.#keysLow,
      this.#ranks,
      this.#labels,
      this.#notifications,
    ];
    for (const [index, column] of columns.entries()) copyInto(chunk, index, column.subarray(0, rows));
  }

  /** Copies `count` events of a block, from the index `from`, to rows from the index `to`. */
  #copy({ events, apps, labels }: NumberedEvents, from: number, to: number, count: number): void {
    this.#days.set(events.day.subarray(from, from + count), to);
    this.#keysHigh.set(events.keyHigh.subarray(from, from + count), to);
    this.#keysLow.set(events.keyLow.subarray(from, from + count), to);
    this.#notifications.set(events.notification.subarray(from, from + count), to);
    const { app, label, millisecond, type } = events;
    const [appNumbers, labelNumbers, ranks] = [this.#apps, this.#labels, this.#ranks];
    for (let i = 0; i < count; i++) {
      const index = from + i;
      appNumbers[to + i] = apps[app[index] ?? 0] ?? 0;
      labelNumbers[to + i] = labels[label[index] ?? 0] ?? 0;
      ranks[to + i] = (millisecond[index] ?? 0) * 32 + (type[index] ?? 0);
    }
  }
}

/** Copies a fixed-width column into a vector of the chunk, which has the same memory layout. */
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
  if (!ArrayBuffer.isView(memory)) throw new Error("the vector has no memory of its own");
  return memory;
}
