import { byBytes } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import type { Outcome } from "./daily-counts.js";

/** Days on which messages were unusual. */
export interface IncidentDays {
  /** The analytics label, empty for messages without one; `undefined` for the whole app. */
  readonly label: string | undefined;
  /** First day of the run. */
  readonly startDay: Day;
  /** Last day of the run. Omitted while it is ongoing. */
  readonly endDay?: Day;
  /** Number of messages above or below the usual number, a positive integer. */
  readonly excessMessageCount: number;
  /** Probability that the run was not caused only by chance, from 0 to 1. */
  readonly confidence: number;
}

/** A run of days on which an outcome's share of the accepted messages was out of its usual range. */
export interface Incident extends IncidentDays {
  /** The outcome that fell (`delivered`) or rose (any other). */
  readonly outcome: Outcome;
  /** Expected share during the run, in percent of the accepted messages. */
  readonly usualPercent: number;
  /** Lower edge of the usual range, in percent. */
  readonly usualLowPercent: number;
  /** Upper edge of the usual range, in percent. */
  readonly usualHighPercent: number;
  /** Observed share during the run, in percent of the accepted messages. */
  readonly observedPercent: number;
}

/** Compares labels in list order: the whole app (`undefined`) before its labels, then labels in byte order. */
export const byLabel = (a: string | undefined, b: string | undefined): number =>
  a === undefined || b === undefined ? Number(a !== undefined) - Number(b !== undefined) : byBytes(a, b);
