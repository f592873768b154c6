import type { Day } from "../model/day.js";

/**
 * Message events of one project, in columns: what an import hands to a store. Blocks hold no state of a store (names
 * are indexes into the block's own lists), so one can be sent again, or to another engine, as it is.
 */
export interface EventBlock {
  /** How many events there are; each column below has this length. */
  readonly length: number;
  /** The distinct app ids. */
  readonly apps: readonly string[];
  /** The distinct analytics labels; the first is the empty one. */
  readonly labels: readonly string[];
  /** The distinct days, counted as in {@link day}. */
  readonly days: readonly Day[];
  /** Index into {@link apps}. */
  readonly app: Int32Array;
  /** The day of the event in America/Los_Angeles, in days since 1970-01-01. */
  readonly day: Int32Array;
  /** Milliseconds from the first instant of that day to the event. */
  readonly millisecond: Uint32Array;
  /** The two halves of the 128-bit digest that stands for app and message id. */
  readonly keyHigh: BigUint64Array;
  readonly keyLow: BigUint64Array;
  /** Number of the `MessageEvent.EventType`. */
  readonly type: Uint8Array;
  /** Index into {@link labels}; 0 on every event but ACCEPTED. */
  readonly label: Int32Array;
  /** 1 if the event is an ACCEPTED that carries a notification. */
  readonly notification: Uint8Array;
}
