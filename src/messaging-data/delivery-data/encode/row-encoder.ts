import { setImmediate as nextTurn } from "node:timers/promises";
import type { EncodedBinary, EncodedJson } from "../../../api/encoded-answer.js";
import type { CountColumns } from "../../../store/delivery-data-store.js";

/** An answer as it is sent. */
export type EncodedRows = EncodedJson | EncodedBinary;

/** Encodes one answer that has rows of counts, straight from their columns. */
export interface RowEncoder {
  /** Adds some rows: from one up to another, which is not added. */
  add(rows: CountColumns, from: number, to: number): void;
  /** @param nextPageToken empty on the last page. */
  finish(nextPageToken?: string): EncodedRows;
}

/** A row of some batch. */
export interface RowPlace<T extends CountColumns> {
  readonly batch: T;
  readonly row: number;
}

/** So many rows take about a millisecond. */
const ROWS_AT_ONCE = 512;

/**
 * Encodes up to `limit` of the rows read. Other requests get their turn after every few of them.
 *
 * @returns the last row that was encoded if more follow.
 * @throws the reason of `signal` once it has aborted.
 */
export async function encodeBatches<T extends CountColumns>(
  encoder: RowEncoder,
  read: readonly T[],
  limit: number,
  signal: AbortSignal,
): Promise<RowPlace<T> | undefined> {
  let room = limit;
  let last: RowPlace<T> | undefined;
  for (const batch of read) {
    const count = Math.min(room, batch.length);
    for (let from = 0; from < count; from += ROWS_AT_ONCE) {
      if (last !== undefined) {
        await nextTurn();
        signal.throwIfAborted();
      }
      const to = Math.min(from + ROWS_AT_ONCE, count);
      encoder.add(batch, from, to);
      last = { batch, row: to - 1 };
    }
    if (count < batch.length) return last;
    room -= count;
  }
  return undefined;
}
