/** The outcomes that are judged, by their names in `DeliveryCounts`. `delivered` may fall, the others may rise. */
export const OUTCOMES = [
  "delivered",
  "pending",
  "collapsed",
  "droppedTooManyPendingMessages",
  "droppedAppForceStopped",
  "droppedDeviceInactive",
  "droppedTtlExpired",
] as const;

/** An outcome that is judged. */
export type Outcome = (typeof OUTCOMES)[number];

/**
 * Daily counts of one label of an app, or of the whole app, in parallel columns. Days without accepted messages are
 * absent.
 */
export interface DailyCounts {
  /** Day numbers (`src/model/day.ts`), ascending. */
  readonly days: Int32Array;
  /** Accepted messages of each day. */
  readonly accepted: Float64Array;
  /** One column for each of {@link OUTCOMES}, in their order. */
  readonly outcomes: readonly Float64Array[];
}

/**
 * Leaves out the days without accepted messages: entries of another service may lack their figures, which says nothing of
 * the day.
 */
export function withoutEmptyDays(counts: DailyCounts): DailyCounts {
  const { days, accepted, outcomes } = counts;
  const isKept = (_: number, row: number): boolean => (accepted[row] ?? 0) > 0;
  if (accepted.every(isKept)) return counts;
  return {
    days: days.filter(isKept),
    accepted: accepted.filter(isKept),
    outcomes: outcomes.map((column) => column.filter(isKept)),
  };
}
