import type { Day } from "./day.js";

/** Distinct apps and labels of events, the empty label left out. */
export interface EventNames {
  readonly apps: readonly string[];
  readonly labels: readonly string[];
}

/** The same, each with the last day of its events. */
export interface DatedNames {
  readonly apps: ReadonlyMap<string, Day>;
  readonly labels: ReadonlyMap<string, Day>;
}

/** Limits on the names of a project. Names of days that retention has removed do not count. */
export interface NameLimits {
  /** Maximum number of apps with events. */
  readonly maxApps: number;
  /** Maximum number of distinct labels of ACCEPTED events; the empty one does not count. */
  readonly maxLabels: number;
}
