import type { DailyCounts } from "./daily-counts.js";

/** What remains of the counts of an app without those of some labels. */
export function countsOfOthers(app: DailyCounts, labels: Iterable<DailyCounts>): DailyCounts {
  const accepted = app.accepted.slice();
  const outcomes = app.outcomes.map((column) => column.slice());
  for (const counts of labels) {
    let row = 0;
    for (const [own, day] of counts.days.entries()) {
      while ((app.days[row] ?? Number.POSITIVE_INFINITY) < day) row++;
      if (app.days[row] !== day) continue;
      accepted[row] = (accepted[row] ?? 0) - (counts.accepted[own] ?? 0);
      for (const [outcome, column] of outcomes.entries())
        column[row] = (column[row] ?? 0) - (counts.outcomes[outcome]?.[own] ?? 0);
    }
  }
  const left = [...accepted.keys()].filter((row) => (accepted[row] ?? 0) > 0);
  return {
    days: Int32Array.from(left, (row) => app.days[row] ?? 0),
    accepted: Float64Array.from(left, (row) => accepted[row] ?? 0),
    outcomes: outcomes.map((column) => Float64Array.from(left, (row) => Math.max(0, column[row] ?? 0))),
  };
}
