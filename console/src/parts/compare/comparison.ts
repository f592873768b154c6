import type { EntriesSelection } from "#console/api/requests.js";
import { isSameRange } from "#console/model/days/day-range.js";
import type { ChartDay } from "#console/model/figures/chart-day.js";
import type { Incident } from "#console/model/figures/incident.js";
import { samplesOf } from "#console/model/figures/key-figures.js";
import { type ComparedRow, comparedRowsOf } from "#console/model/figures/pair.js";
import { ACCEPTED, type Series } from "#console/model/figures/series.js";
import { type Counts, pointsBetween } from "#console/model/numbers/counts.js";
import { type Difference, differenceOf } from "#src/presentation/difference.js";

/** Approximate height of a comparison in pixels. */
export const COMPARE_HEIGHT = 1_100;

/** One side of a comparison, before its entries are loaded. */
export interface SideChoice {
  readonly title: string;
  readonly selection: EntriesSelection;
}

export interface Side extends SideChoice {
  readonly days: readonly ChartDay[];
  /** Sum over all days. */
  readonly total: Counts;
  readonly incidents: readonly Incident[];
}

/** Returns true if counts can be compared: both sides have the same range, or the same number of days with entries. */
export const areAlike = ([left, right]: readonly [Side, Side]): boolean =>
  isSameRange(left.selection.range, right.selection.range) || left.days.length === right.days.length;

export interface ComparedCategory extends ComparedRow {
  /** The right share minus the left one, in percentage points as shown. Undefined if a side has no share. */
  readonly points: number | undefined;
  readonly difference: Difference;
}

export const compare = ([left, right]: readonly [Side, Side]): readonly ComparedCategory[] =>
  comparedRowsOf(left.total, right.total).map((row) => ({
    ...row,
    points:
      row.left === undefined || row.right === undefined ? undefined : pointsBetween(row.left, row.right),
    difference: differenceOf(
      samplesOf(left.days, row.series, left.incidents),
      samplesOf(right.days, row.series, right.incidents),
    ),
  }));

/** Counts to compare besides shares, by key. */
export const COMPARED_COUNTS: readonly {
  readonly key: string;
  readonly title: string;
  readonly series: Series;
}[] = ACCEPTED.map((series, index) => ({
  key: index === 0 ? "countMessagesAccepted" : "countNotificationsAccepted",
  title: index === 0 ? "Messages" : series.title,
  series,
}));
