import { groupBy } from "#src/model/collections.js";
import type { Counts } from "../numbers/counts.js";
import { type ShareFigures, shareFigures } from "./app-row.js";
import type { Incident } from "./incident.js";

/** Figures of a label in all apps of a project together. */
export interface ProjectLabelRow extends ShareFigures {
  /** Empty for messages without a label. */
  readonly label: string;
  /** Apps in which the label has an ongoing incident, most excess messages first. Undefined while unknown. */
  readonly troubled: readonly string[] | undefined;
  /** Excess messages in these incidents. */
  readonly excess: number;
}

/** Sums by label. */
type LabelSums = readonly { readonly label: string; readonly counts: Counts }[];

/**
 * Creates a row for each label: the ones with most excess messages first, then those with most messages.
 *
 * @param before sums for the earlier range
 * @param ongoing ongoing incidents of all apps, undefined while unknown
 */
export function projectLabelRowsOf(
  now: LabelSums,
  before: LabelSums,
  ongoing: readonly Incident[] | undefined,
): readonly ProjectLabelRow[] {
  const earlier = new Map(before.map(({ label, counts }) => [label, counts]));
  const incidents = groupBy(ongoing ?? [], ({ label }) => label);
  return now
    .map(({ label, counts }) => {
      const own = [...(incidents.get(label) ?? [])].sort((a, b) => b.excess - a.excess);
      return {
        label,
        ...shareFigures(counts, earlier.get(label) ?? {}),
        troubled: ongoing && [...new Set(own.map(({ app }) => app))],
        excess: own.reduce((sum, { excess }) => sum + excess, 0),
      };
    })
    .sort((a, b) => b.excess - a.excess || b.accepted - a.accepted);
}
