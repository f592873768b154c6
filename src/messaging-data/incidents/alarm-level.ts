import { OUTCOMES } from "./daily-counts.js";

/** Daily shift, in standard deviations, above which scores add up. Faults of twice this size are found soonest. */
export const SLACK = 1.25;

/** False alarms per day of one label that are accepted. */
const LEVEL_OF_LABEL = 7e-4;
/** False alarms per day of all labels of an app together that are accepted. */
const LEVEL_OF_APP = 0.03;

/** Part of these that is accepted of falls of what is delivered; the other outcomes share the rest. */
const DELIVERED_PART = 0.75;

/** Sums of scores at which an alarm is raised. */
export interface AlarmLevels {
  /** The level of an outcome, by its number. */
  of(outcome: number): number;
}

/**
 * The thresholds of a day on which `judged` labels have messages. With more than a few dozen labels they grow with the
 * logarithm of their number (Bonferroni), such that the false alarms of an app remain bounded.
 */
export function alarmLevels(judged: number): AlarmLevels {
  const level = Math.min(LEVEL_OF_LABEL, LEVEL_OF_APP / judged);
  const delivered = threshold(level * DELIVERED_PART);
  const other = threshold((level * (1 - DELIVERED_PART)) / (OUTCOMES.length - 1));
  return { of: (outcome) => (outcome === 0 ? delivered : other) };
}

/** Siegmund's approximation of the threshold at which a sum of scores has `level` false alarms a day. */
function threshold(level: number): number {
  return Math.log((2 * SLACK * SLACK) / level) / (2 * SLACK) - 1.166;
}
