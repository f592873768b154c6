import type { DuckDBAppender } from "@duckdb/node-api";
import type { EventBlock } from "../../event-block.js";
import { BIGINT, BOOLEAN, DuckDBDataChunk, INTEGER, UBIGINT, UINTEGER } from "../engine.js";

/** Number of rows in a data chunk: the engine's vector size. */
export const CHUNK_ROWS = 2048;

const COLUMN_TYPES = [BIGINT, INTEGER, INTEGER, UBIGINT, UBIGINT, UINTEGER, INTEGER, BOOLEAN];

/**
 * Appends up to {@link CHUNK_ROWS} events of a block, from the index `start`, as rows of the table `events`.
 *
 * @param apps numbers of the block's apps, in its order; likewise `labels`.
 */
export function appendChunk(
  appender: DuckDBAppender,
  project: bigint,
  events: EventBlock,
  start: number,
  apps: Int32Array,
  labels: Int32Array,
): void {
  const rows = Math.min(CHUNK_ROWS, events.length - start);
  const end = start + rows;
  const ranks = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) {
    ranks[i] = (events.millisecond[start + i] ?? 0) * 32 + (events.type[start + i] ?? 0);
  }
  const columns = [
    new BigInt64Array(rows).fill(project),
    events.day.subarray(start, end),
    events.app.subarray(start, end).map((index) => apps[index] ?? 0),
    events.keyHigh.subarray(start, end),
    events.keyLow.subarray(start, end),
    ranks,
    events.label.subarray(start, end).map((index) => labels[index] ?? 0),
    events.notification.subarray(start, end),
  ];
  const chunk = DuckDBDataChunk.create(COLUMN_TYPES, rows);
  for (const [index, column] of columns.entries()) copyInto(chunk, index, column);
  appender.appendDataChunk(chunk);
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
