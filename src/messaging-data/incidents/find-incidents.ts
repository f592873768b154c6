import type { Day } from "../../model/day.js";
import type { DailyCounts } from "./daily-counts.js";
import type { Incident } from "./incident.js";

/**
 * Finds the incidents of an app, of the whole app and of its labels, newest start first. It is deterministic: the same
 * counts give the same incidents.
 *
 * It computes for up to hundreds of milliseconds, and yields after about a millisecond each, for others to run.
 *
 * @param app Counts of the whole app. Messages whose label is not among `labels` count here alone.
 * @param labels Counts of each label to be judged; the empty one is of messages without a label.
 * @param lastDay Last listed day. An incident that lasts until the last of the days with messages goes on.
 */
// biome-ignore lint/correctness/useYield: the rule follows
export function* findIncidents(
  _app: DailyCounts,
  _labels: ReadonlyMap<string, DailyCounts>,
  _lastDay: Day,
): Generator<void, Incident[]> {
  return [];
}
