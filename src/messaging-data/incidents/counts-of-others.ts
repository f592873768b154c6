import type { DailyCounts } from "./daily-counts.js";

/** Labels between pauses. */
const LABELS_WITHOUT_PAUSE = 16;

/** Computes what remains of the counts of an app without those of some labels. Yields about every millisecond. */
export function* countsOfOthers(
  app: DailyCounts,
  labels: readonly DailyCounts[],
): Generator<void, DailyCounts> {
  const accepted = app.accepted.slice();
  const outcomes = app.outcomes.map((column) => column.slice());
  for (const [index, counts] of labels.entries()) {
    if (index % LABELS_WITHOUT_PAUSE === 0) yield;
    let row = 0;
    for (let own = 0; own < counts.days.length; own++) {
      const day = counts.days[own] ?? 0;
      while ((app.days[row] ?? Number.POSITIVE_INFINITY) < day) row++;
      if (app.days[row] !== day) continue;
      accepted[row] = (accepted[row] ?? 0) - (counts.accepted[own] ?? 0);
      for (let outcome = 0; outcome < outcomes.length; outcome++) {
        const column = outcomes[outcome];
        if (column !== undefined) column[row] = (column[row] ?? 0) - (counts.outcomes[outcome]?.[own] ?? 0);
      }
    }
  }
  const left = [...accepted.keys()].filter((row) => (accepted[row] ?? 0) > 0);
  return {
    days: Int32Array.from(left, (row) => app.days[row] ?? 0),
    accepted: Float64Array.from(left, (row) => accepted[row] ?? 0),
    outcomes: outcomes.map((column) => Float64Array.from(left, (row) => Math.max(0, column[row] ?? 0))),
  };
}
