import type { Incident } from "../figures/incident.js";
import type { View } from "./view.js";

/** Number of days before an incident in its view, for comparison. */
const DAYS_BEFORE = 14;

/**
 * Returns an incident's view: some days before it, and all its days. An ongoing incident continues until the last listed day,
 * also when the link is opened later. Shows only the incident's label; for the whole app, lists all labels.
 */
export function viewOfIncident({ label, firstDay, lastDay }: Incident): Partial<View> {
  const first = firstDay - DAYS_BEFORE;
  return {
    range:
      lastDay === undefined ? { kind: "since", first } : { kind: "own", range: { first, last: lastDay } },
    ...(label === undefined ? { tab: "labels", labels: undefined } : { tab: "overview", labels: [label] }),
  };
}
