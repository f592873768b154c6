import { DROPS, OUTCOMES, shareOf, unaccountedOf } from "../numbers/categories.js";
import { acceptedOf, type Counts, countIn, percentOf, sumOf } from "../numbers/counts.js";
import { type Incident, isOfShare } from "./incident.js";
import type { Target } from "./target.js";

/** Outcomes of the messages with one label. */
export interface LabelRow {
  /** Empty for messages without a label. */
  readonly label: string;
  readonly counts: Counts;
  /** Messages accepted but not delivered on the same day. */
  readonly undelivered: number;
  /** Share of all rows' undelivered messages, in percent. Undefined if every message was delivered. */
  readonly undeliveredShare: number | undefined;
  /** Share of all rows' accepted messages, in percent. */
  readonly acceptedShare: number | undefined;
  /** Messages dropped for any reason. */
  readonly dropped: number;
  readonly unaccounted: number;
  /** Excess messages in the label's incidents, on these days. */
  readonly excess: number;
  /** Usual delivered share, in percent. Undefined without an incident or earlier data. */
  readonly usual: number | undefined;
  readonly target: Target | undefined;
}

interface LabelSums {
  readonly label: string;
  readonly counts: Counts;
}

/**
 * Creates a row for each label from sums by label, most undelivered messages first.
 *
 * @param earlier sums for earlier days, from which the usual share of labels without incidents is computed
 */
export function labelRowsOf(
  groups: readonly LabelSums[],
  incidents: readonly Incident[],
  usual: readonly LabelSums[] = [],
  targets: readonly Target[] = [],
): readonly LabelRow[] {
  const total = sumOf(groups.map(({ counts }) => counts));
  const excesses = new Map<string | undefined, number>();
  for (const { label, excess } of incidents.filter(isOfShare))
    excesses.set(label, (excesses.get(label) ?? 0) + excess);
  const usuals = usualShares(incidents, usual);
  const targetOfLabel = new Map(targets.map((target) => [target.label, target]));
  return groups
    .map(({ label, counts }) => ({
      label,
      counts,
      undelivered: undeliveredOf(counts),
      undeliveredShare: percentOf(undeliveredOf(counts), undeliveredOf(total)),
      acceptedShare: percentOf(acceptedOf(counts), acceptedOf(total)),
      dropped: droppedOf(counts),
      unaccounted: unaccountedOf(counts, OUTCOMES),
      excess: excesses.get(label) ?? 0,
      usual: usuals.get(label),
      target: targetOfLabel.get(label),
    }))
    .sort((a, b) => b.undelivered - a.undelivered);
}

/** Returns each label's usual delivered share: on usual days, or else in its latest incident. */
function usualShares(
  incidents: readonly Incident[],
  usual: readonly LabelSums[],
): ReadonlyMap<string | undefined, number | undefined> {
  const falls = incidents
    .filter(({ outcome }) => outcome === "DELIVERED")
    .sort((a, b) => a.firstDay - b.firstDay);
  return new Map([
    ...falls.map(({ label, usual }) => [label, usual] as const),
    ...usual.flatMap(({ label, counts }) => {
      const share = shareOf(counts, OUTCOMES, "delivered");
      return share === undefined ? [] : [[label, share] as const];
    }),
  ]);
}

/** Counts messages accepted but not delivered on the same day. */
const undeliveredOf = (counts: Counts): number => acceptedOf(counts) - countIn(counts, "delivered");

/** Counts messages dropped for any reason. */
const droppedOf = (counts: Counts): number => DROPS.reduce((sum, { name }) => sum + countIn(counts, name), 0);
