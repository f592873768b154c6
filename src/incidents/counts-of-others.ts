import type { DailyCounts } from "./daily-counts.js";

/** Labels between pauses. */
const LABELS_WITHOUT_PAUSE = 128;

/** Computes what remains of the counts of an app without those of some labels. Yields about every millisecond. */
export function* countsOfOthers(
  app: DailyCounts,
  labels: readonly DailyCounts[],
): Generator<void, DailyCounts> {
  const accepted = yield* withoutLabels(app, app.accepted, labels, (counts) => counts.accepted);
  const left = [...accepted.keys()].filter((row) => (accepted[row] ?? 0) > 0);
  const outcomes: Float64Array[] = [];
  for (const [outcome, all] of left.length === 0 ? [] : app.outcomes.entries()) {
    const column = yield* withoutLabels(app, all, labels, (counts) => counts.outcomes[outcome]);
    outcomes.push(Float64Array.from(left, (row) => Math.max(0, column[row] ?? 0)));
  }
  return {
    days: Int32Array.from(left, (row) => app.days[row] ?? 0),
    accepted: Float64Array.from(left, (row) => accepted[row] ?? 0),
    outcomes,
  };
}

function* withoutLabels(
  { days }: DailyCounts,
  all: Float64Array,
  labels: readonly DailyCounts[],
  columnOf: (counts: DailyCounts) => Float64Array | undefined,
): Generator<void, Float64Array> {
  const rest = all.slice();
  for (const [index, counts] of labels.entries()) {
    if (index % LABELS_WITHOUT_PAUSE === 0) yield;
    subtract(rest, days, columnOf(counts) ?? new Float64Array(), counts.days);
  }
  return rest;
}

/** Subtracts the counts of some days from those of all days. */
function subtract(from: Float64Array, all: Int32Array, counts: Float64Array, days: Int32Array): void {
  let row = 0;
  for (let own = 0; own < days.length; own++) {
    const day = days[own] ?? 0;
    while (row < all.length && (all[row] ?? 0) < day) row++;
    if (all[row] === day) from[row] = (from[row] ?? 0) - (counts[own] ?? 0);
  }
}
