import type { RowWriter } from "../row-binary.js";
import { type Place, tableIn } from "../tables.js";

/** Statement that inserts rows of `message_states`. */
export const insertStates = (place: Place): string =>
  `INSERT INTO ${tableIn(place, "message_states")} (project, day, app, key_high, key_low, accepted, outcome, proxy, seen)`;

/**
 * Size of `accepted` without its label, in bytes: the time before the label, a NUL character and the notification after
 * it.
 */
const ACCEPTED_BYTES = 6;
/** Length that means "no value" in a minimum. */
const NO_TEXT = -1;
const ZERO = 0x30;
const ONE = 0x31;

/**
 * Writes the column `accepted`: a minimum with a single string. In the engine, a string's length includes a NUL
 * character at the end.
 */
export function writeAccepted(
  rows: RowWriter,
  millisecond: number,
  label: Uint8Array,
  notification: boolean,
): void {
  rows.int32(ACCEPTED_BYTES + label.length + 1);
  rows.uint32BigEndian(millisecond);
  rows.raw(label);
  rows.uint8(0);
  rows.uint8(notification ? ONE : ZERO);
  rows.uint8(0);
}

/** Writes the column `accepted` for a state without an ACCEPTED event. */
export function writeNoAccepted(rows: RowWriter): void {
  rows.int32(NO_TEXT);
}

/** Writes a minimum with a single number, or without a value. */
export function writeLeast(rows: RowWriter, value: number | undefined): void {
  rows.uint8(value === undefined ? 0 : 1);
  if (value !== undefined) rows.uint32(value);
}
