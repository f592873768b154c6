import { DROPS, OUTCOMES, shareOf, unaccountedOf } from "../numbers/categories.js";
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
  /** Usual delivered share in percent; undefined if nothing says what is usual. */
  readonly usual: number | undefined;
}

/** Sums of the messages with one label. */
interface LabelSums {
  readonly label: string;
  readonly counts: Counts;
}

/**
 * Makes a row for each label from sums by label, most undelivered messages first.
 * @param earlier sums of the days before, which say what is usual for labels whose deliveries did not fall
 */
export function labelRowsOf(
  groups: readonly LabelSums[],
  incidents: readonly Incident[],
  earlier: readonly LabelSums[] = [],
): readonly LabelRow[] {
  const total = sumOf(groups.map(({ counts }) => counts));
  const excesses = new Map<string | undefined, number>();
  for (const { label, excess } of incidents) excesses.set(label, (excesses.get(label) ?? 0) + excess);
  const usuals = usualShares(incidents, earlier);
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
      usual: usuals.get(label),
    }))
    .sort((a, b) => b.undelivered - a.undelivered);
}

/** The usual delivered share of each label: of its latest fall, as the server says; otherwise of earlier days. */
function usualShares(
  incidents: readonly Incident[],
  earlier: readonly LabelSums[],
): ReadonlyMap<string | undefined, number | undefined> {
  const falls = incidents
    .filter(({ outcome }) => outcome === "DELIVERED")
    .sort((a, b) => a.firstDay - b.firstDay);
  return new Map([
    ...earlier.map(({ label, counts }) => [label, shareOf(counts, OUTCOMES, "delivered")] as const),
    ...falls.map(({ label, usual }) => [label, usual] as const),
  ]);
}

/** Counts messages accepted and not delivered by the end of their day. */
export const undeliveredOf = ({ countMessagesAccepted = 0, delivered = 0 }: Counts): number =>
  countMessagesAccepted - delivered;

/** Counts messages dropped for any reason. */
export const droppedOf = (counts: Counts): number =>
  DROPS.reduce((sum, { name }) => sum + (counts[name] ?? 0), 0);
