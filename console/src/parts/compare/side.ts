import type { EntriesSelection } from "#console/api/requests.js";
import type { ChartDay } from "#console/model/figures/chart-day.js";
import type { Sample } from "#console/model/figures/difference.js";
import type { Series } from "#console/model/figures/series.js";
import type { Counts } from "#console/model/numbers/counts.js";

/** One side of a comparison, before its entries are loaded. */
export interface SideChoice {
  readonly title: string;
  readonly selection: EntriesSelection;
}

/** One side of a comparison. */
export interface Side extends SideChoice {
  readonly days: readonly ChartDay[];
  /** Sum over all its days. */
  readonly total: Counts;
}

/**
 * Returns true if counts of the sides can be compared: both are of the same range, or of as many days that have
 * entries.
 */
export const areAlike = ([left, right]: readonly [Side, Side]): boolean =>
  (left.selection.range.first === right.selection.range.first &&
    left.selection.range.last === right.selection.range.last) ||
  left.days.length === right.days.length;

/** The messages of each day of a side: those of a category, and all that its share refers to. */
export const samplesOf = ({ days }: Side, { countOf, base }: Series): readonly Sample[] =>
  days.map(({ counts }) => ({ count: countOf(counts), of: base?.countOf(counts) ?? 0 }));
