import { type Difference, differenceOf } from "#console/model/figures/difference.js";
import { type ComparedRow, comparedRowsOf } from "#console/model/figures/pair.js";
import { ACCEPTED, type Series } from "#console/model/figures/series.js";
import { pointsBetween } from "#console/model/numbers/counts.js";
import { type Side, samplesOf } from "./side.js";

/** A category on both sides. */
export interface ComparedCategory extends ComparedRow {
  /** The right share minus the left one, in percentage points as shown; undefined if a side has none. */
  readonly points: number | undefined;
  readonly difference: Difference;
}

/** Every category on both sides. */
export const compare = ([left, right]: readonly [Side, Side]): readonly ComparedCategory[] =>
  comparedRowsOf(left.total, right.total).map((row) => ({
    ...row,
    points:
      row.left === undefined || row.right === undefined ? undefined : pointsBetween(row.left, row.right),
    difference: differenceOf(samplesOf(left, row.series), samplesOf(right, row.series)),
  }));

/** Numbers that are compared besides the shares, by key. */
export const COMPARED_COUNTS: readonly {
  readonly key: string;
  readonly title: string;
  readonly series: Series;
}[] = ACCEPTED.map((series, index) => ({
  key: index === 0 ? "countMessagesAccepted" : "countNotificationsAccepted",
  title: index === 0 ? "Messages" : series.title,
  series,
}));
