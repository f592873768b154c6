import { OUTCOMES, unaccountedOf } from "../numbers/categories.js";
import { type Counts, percentOf, sumOf } from "../numbers/counts.js";
import type { Incident } from "./incident.js";

/** Outcomes of the messages with one label. */
export interface LabelRow {
  /** Empty for messages without a label. */
  readonly label: string;
  readonly counts: Counts;
  /** Messages accepted and not delivered by the end of their day. */
  readonly undelivered: number;
  /** Share of the undelivered messages of all rows, in percent; undefined if every message was delivered. */
  readonly undeliveredShare: number | undefined;
  /** Share of the accepted messages of all rows, in percent. */
  readonly acceptedShare: number | undefined;
  /** Messages dropped for any reason. */
  readonly dropped: number;
  readonly unaccounted: number;
  /** Messages beyond the usual ones in the incidents of the label. */
  readonly excess: number;
}

const DROPS = OUTCOMES.categories.map(({ name }) => name).filter((name) => name.startsWith("dropped"));

/** Makes a row for each label from sums by label, most undelivered messages first. */
export function labelRowsOf(
  groups: readonly { readonly label: string; readonly counts: Counts }[],
  incidents: readonly Incident[],
): readonly LabelRow[] {
  const total = sumOf(groups.map(({ counts }) => counts));
  const excesses = new Map<string | undefined, number>();
  for (const { label, excess } of incidents) excesses.set(label, (excesses.get(label) ?? 0) + excess);
  return groups
    .map(({ label, counts }) => ({
      label,
      counts,
      undelivered: undeliveredOf(counts),
      undeliveredShare: percentOf(undeliveredOf(counts), undeliveredOf(total)),
      acceptedShare: percentOf(counts.countMessagesAccepted ?? 0, total.countMessagesAccepted ?? 0),
      dropped: droppedOf(counts),
      unaccounted: unaccountedOf(counts, OUTCOMES),
      excess: excesses.get(label) ?? 0,
    }))
    .sort((a, b) => b.undelivered - a.undelivered);
}

/** Counts messages accepted and not delivered by the end of their day. */
export const undeliveredOf = ({ countMessagesAccepted = 0, delivered = 0 }: Counts): number =>
  countMessagesAccepted - delivered;

/** Counts messages dropped for any reason. */
export const droppedOf = (counts: Counts): number =>
  DROPS.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
