/**
 * Message events of one project, in columns, as an import parses them.
 */
export interface EventBlock {
  /** Number of events, and length of each column below. */
  readonly length: number;
  /** Distinct app ids. */
  readonly apps: readonly string[];
  /** Distinct analytics labels; the first is the empty one. */
  readonly labels: readonly string[];
  /** Index into {@link apps}. */
  readonly app: Int32Array;
  /** Day of the event in America/Los_Angeles, in days since 1970-01-01. */
  readonly day: Int32Array;
  /** Time since the first instant of that day, in milliseconds. */
  readonly millisecond: Uint32Array;
  /** High and low half of the 128-bit digest of app id and message id. */
  readonly keyHigh: BigUint64Array;
  readonly keyLow: BigUint64Array;
  /** Number of the `MessageEvent.EventType`. */
  readonly type: Uint8Array;
  /** Index into {@link labels}; 0 on every event but ACCEPTED. */
  readonly label: Int32Array;
  /** 1 if the event is an ACCEPTED with a notification. */
  readonly notification: Uint8Array;
}
