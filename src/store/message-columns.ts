/** What columns of events and of states of messages of one project have in common. */
export interface MessageColumns {
  /** Number of rows, and length of each column, unless that says otherwise. */
  readonly length: number;
  /** Distinct app ids. */
  readonly apps: readonly string[];
  /** Distinct analytics labels; the first is the empty one. */
  readonly labels: readonly string[];
  /** Index into {@link apps}. */
  readonly app: Int32Array;
  /** Day in America/Los_Angeles, in days since 1970-01-01. */
  readonly day: Int32Array;
}
