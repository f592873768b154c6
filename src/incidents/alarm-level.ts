import { OUTCOMES } from "./daily-counts.js";

/** Daily shift, in standard deviations, above which scores add up. Faults of twice this size are found soonest. */
export const SLACK = 1.25;

/** False alarms per day of one label that are accepted. */
const LEVEL_OF_LABEL = 7e-4;
/** False alarms per day of all labels of an app together that are accepted. */
const LEVEL_OF_APP = 0.03;

/** Part of these that is accepted of falls of what is delivered; the other outcomes share the rest. */
const DELIVERED_PART = 0.75;

/**
 * The sums of scores at which an alarm is raised, by outcome, on a day on which `judged` labels have messages. With more
 * than a few dozen labels they grow with the logarithm of their number (Bonferroni), such that the false alarms of an app
 * remain bounded.
 */
export function alarmLevels(judged: number): Float64Array {
  const level = Math.min(LEVEL_OF_LABEL, LEVEL_OF_APP / judged);
  const other = threshold((level * (1 - DELIVERED_PART)) / (OUTCOMES.length - 1));
  const levels = new Float64Array(OUTCOMES.length).fill(other);
  levels[0] = threshold(level * DELIVERED_PART);
  return levels;
}

/** Siegmund's approximation of the threshold at which a sum of scores has `level` false alarms a day. */
function threshold(level: number): number {
  return Math.log((2 * SLACK * SLACK) / level) / (2 * SLACK) - 1.166;
}
