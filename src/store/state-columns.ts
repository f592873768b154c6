import type { Day } from "../model/day.js";

/**
 * Partial states of messages of a project, in columns, as one engine passes them to another: what the rollup needs to
 * know of some of the events of a message on a day. Any number of them may belong to the same message.
 */
export interface StateColumns {
  /** Number of states, and length of each column below. */
  readonly length: number;
  readonly days: readonly Day[];
  readonly appIds: readonly string[];
  /** High and low half of the 128-bit digest of app id and message id. */
  readonly keyHigh: readonly bigint[];
  readonly keyLow: readonly bigint[];
  /** Time of the least ACCEPTED since the first instant of the day, in milliseconds; null without one. */
  readonly acceptedAt: readonly (number | null)[];
  /** Its analytics label, empty without one, and whether it has a notification. */
  readonly labels: readonly string[];
  readonly notifications: readonly boolean[];
  /** 32 * milliseconds since the day began + number of the event type, of the least outcome; null without one. */
  readonly outcomes: readonly (number | null)[];
  /** Likewise, of the least proxy result. */
  readonly proxies: readonly (number | null)[];
  /** A bit for each type of event, by its number. */
  readonly seen: readonly number[];
}
