import type { EventTypes } from "./event-types.js";

/** A message to an app instance, and its state from acceptance to outcome. */
export interface Message {
  /** Start of each line about the message, with its app and id. */
  readonly linePrefix: string;
  /** Index of the app. */
  readonly app: number;
  /** Index of the Los Angeles day of acceptance. */
  readonly day: number;
  /** First instant after that day, in milliseconds since the epoch. */
  readonly dayEnd: number;
  /** Index of the label; 0 means no label. */
  readonly label: number;
  readonly notification: boolean;
  /** True if the device shares usage and diagnostics. */
  readonly optedIn: boolean;
  readonly acceptedAt: number;
  /** End of its time to live. If equal to {@link acceptedAt}, the message is delivered now or never. */
  readonly expiresAt: number;
  /** 0 means no key: no later message replaces it. */
  readonly collapseKey: number;
  /** True if a fault keeps it from being delivered. */
  readonly isLost: boolean;
  /** True for high priority, false for normal priority. */
  highPriority: boolean;
  /** Types of its events up to now. */
  reported: EventTypes;
  /** Types of its events before {@link dayEnd}. */
  reportedThatDay: EventTypes;
  lastReportAt: number;
}
