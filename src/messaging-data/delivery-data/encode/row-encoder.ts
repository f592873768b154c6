import { setImmediate as nextTurn } from "node:timers/promises";
import type { EncodedBinary, EncodedJson } from "../../../api/encoded-answer.js";
import type { CountColumns, GroupColumns, OriginalColumns } from "../../../store/delivery-data-store.js";

/** An encoded answer, ready to send. */
export type EncodedRows = EncodedJson | EncodedBinary;

/** Rows of entries or sums. */
export type Rows = GroupColumns & OriginalColumns;

/** Encodes one answer with rows of counts, directly from their columns; rows with originals become their originals. */
export interface RowEncoder {
  /** Adds the rows from index `from` up to, but not including, `to`. */
  add(rows: Rows, from: number, to: number): void;
  /** Completes the answer. @param nextPageToken empty on the last page. */
  finish(nextPageToken?: string): EncodedRows;
}

/** A row of a batch. */
export interface RowPlace<T extends CountColumns> {
  readonly batch: T;
  readonly row: number;
}

/** Number of rows encoded in one turn, which takes about a millisecond; those with originals are read as JSON for it. */
const ROWS_AT_ONCE = 512;
const ORIGINALS_AT_ONCE = 64;

/**
 * Encodes up to `limit` of the rows read. Yields to other requests between groups of rows.
 *
 * @returns the last encoded row if more rows follow.
 * @throws the reason of `signal` once it has aborted.
 */
export async function encodeBatches<T extends Rows>(
  encoder: RowEncoder,
  read: readonly T[],
  limit: number,
  signal: AbortSignal,
): Promise<RowPlace<T> | undefined> {
  let room = limit;
  let last: RowPlace<T> | undefined;
  for (const batch of read) {
    const count = Math.min(room, batch.length);
    const atOnce = batch.originals === undefined ? ROWS_AT_ONCE : ORIGINALS_AT_ONCE;
    for (let from = 0; from < count; from += atOnce) {
      if (last !== undefined) {
        await nextTurn();
        signal.throwIfAborted();
      }
      const to = Math.min(from + atOnce, count);
      encoder.add(batch, from, to);
      last = { batch, row: to - 1 };
    }
    if (count < batch.length) return last;
    room -= count;
  }
  return undefined;
}
