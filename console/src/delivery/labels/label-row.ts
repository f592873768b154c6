import type { DeliveryGroup } from "../../api/delivery-group.js";
import { OUTCOMES, unaccountedOf } from "../../numbers/categories.js";
import { type Counts, percentOf, sumOf } from "../../numbers/counts.js";

/** What became of the messages of a label. */
export interface LabelRow {
  /** Empty for messages without one. */
  readonly label: string;
  readonly counts: Counts;
  /** Messages accepted and not delivered by the end of their day. */
  readonly undelivered: number;
  /** Its part of the undelivered messages of all rows, in percent; undefined if there are none. */
  readonly undeliveredShare: number | undefined;
  /** Its part of the accepted messages of all rows, in percent. */
  readonly acceptedShare: number | undefined;
  /** The greatest of all these shares of any row, in percent. */
  readonly greatestShare: number;
  /** Dropped for any reason. */
  readonly dropped: number;
  readonly unaccounted: number;
}

const DROPS = OUTCOMES.categories.map(({ name }) => name).filter((name) => name.startsWith("dropped"));

/** The labels, from sums of entries by label. */
export function labelRowsOf(groups: readonly DeliveryGroup[]): readonly LabelRow[] {
  const total = sumOf(groups.map(({ counts }) => counts));
  const rows = groups.map(({ label, counts }) => ({
    label,
    counts,
    undelivered: undeliveredOf(counts),
    undeliveredShare: percentOf(undeliveredOf(counts), undeliveredOf(total)),
    acceptedShare: percentOf(counts.countMessagesAccepted ?? 0, total.countMessagesAccepted ?? 0),
    dropped: droppedOf(counts),
    unaccounted: unaccountedOf(counts, OUTCOMES),
  }));
  const greatestShare = rows.reduce(
    (most, row) => Math.max(most, row.undeliveredShare ?? 0, row.acceptedShare ?? 0),
    0,
  );
  return rows.map((row) => ({ ...row, greatestShare }));
}

/** How many messages were accepted and not delivered by the end of their day. */
export const undeliveredOf = ({ countMessagesAccepted = 0, delivered = 0 }: Counts): number =>
  countMessagesAccepted - delivered;

/** How many messages were dropped, for any reason. */
export const droppedOf = (counts: Counts): number =>
  DROPS.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
