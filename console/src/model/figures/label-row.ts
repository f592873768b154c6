import { OUTCOMES, unaccountedOf } from "../numbers/categories.js";
import { type Counts, percentOf, sumOf } from "../numbers/counts.js";

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
}

const DROPS = OUTCOMES.categories.map(({ name }) => name).filter((name) => name.startsWith("dropped"));

/** Makes a row for each label from sums by label. */
export function labelRowsOf(
  groups: readonly { readonly label: string; readonly counts: Counts }[],
): readonly LabelRow[] {
  const total = sumOf(groups.map(({ counts }) => counts));
  return groups.map(({ label, counts }) => ({
    label,
    counts,
    undelivered: undeliveredOf(counts),
    undeliveredShare: percentOf(undeliveredOf(counts), undeliveredOf(total)),
    acceptedShare: percentOf(counts.countMessagesAccepted ?? 0, total.countMessagesAccepted ?? 0),
    dropped: droppedOf(counts),
    unaccounted: unaccountedOf(counts, OUTCOMES),
  }));
}

/** Counts messages accepted and not delivered by the end of their day. */
export const undeliveredOf = ({ countMessagesAccepted = 0, delivered = 0 }: Counts): number =>
  countMessagesAccepted - delivered;

/** Counts messages dropped for any reason. */
export const droppedOf = (counts: Counts): number =>
  DROPS.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
