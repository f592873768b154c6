import type { MessageColumns } from "./message-columns.js";

/** Message events of one project, in columns, as an import parses them. */
export interface EventBlock extends MessageColumns {
  /** Time since the first instant of the day, in milliseconds. */
  readonly millisecond: Uint32Array;
  /** High and low half of the 128-bit digest of app id and message id. */
  readonly keyHigh: BigUint64Array;
  readonly keyLow: BigUint64Array;
  /** Number of the `MessageEvent.EventType`. */
  readonly type: Uint8Array;
  /** Index into {@link MessageColumns.labels}; 0 on every event but ACCEPTED. */
  readonly label: Int32Array;
  /** 1 if the event is an ACCEPTED with a notification. */
  readonly notification: Uint8Array;
}
