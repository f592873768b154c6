import { setImmediate as nextTick } from "node:timers/promises";
import type { ResponseFormat } from "../../../api/service.js";
import type { CountColumns } from "../../../store/delivery-data-store.js";
import { BinaryRowEncoder, binaryLayout } from "./binary-row-encoder.js";
import { JsonRowEncoder, jsonLayout } from "./json-row-encoder.js";
import type { RowEncoder, RowForm, Rows } from "./row-form.js";

/** Position of a row: its batch and its index. */
export interface RowPlace<T extends CountColumns> {
  readonly batch: T;
  readonly row: number;
}

/** Number of rows to encode in one event loop tick. They need about a millisecond. */
const ROWS_AT_ONCE = 512;
/** Number of rows with originals to encode in one event loop tick. Originals must be parsed first. */
const ORIGINALS_AT_ONCE = 64;

/**
 * Encodes up to `limit` rows. Lets other work run between groups of rows.
 *
 * @returns the last encoded row, if more rows follow.
 * @throws the abort reason of `signal`.
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
        await nextTick();
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

export type NewRowEncoder = (format: ResponseFormat) => RowEncoder;

export function rowEncoders(form: RowForm): NewRowEncoder {
  const json = jsonLayout(form);
  const binary = binaryLayout(form);
  return (format) => (format === "json" ? new JsonRowEncoder(json) : new BinaryRowEncoder(binary));
}
