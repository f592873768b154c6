import { CATEGORY_GROUPS } from "../numbers/categories.js";
import type { Counts } from "../numbers/counts.js";
import { type Series, seriesOf, seriesShare } from "./series.js";

/** A category with its share on each side, in percent; undefined where nothing was accepted. */
export interface ComparedRow {
  readonly key: string;
  readonly group: string;
  readonly title: string;
  readonly left: number | undefined;
  readonly right: number | undefined;
  readonly series: Series;
}

/** A row for each category, and one for the unaccounted messages of each exclusive group. */
export const comparedRowsOf = (left: Counts, right: Counts): readonly ComparedRow[] =>
  CATEGORY_GROUPS.flatMap((group) =>
    seriesOf(group).map(
      (series): ComparedRow => ({
        key: series.key ?? series.title,
        group: `${group.title}, ${group.of}`,
        title: series.title,
        left: seriesShare(series, left),
        right: seriesShare(series, right),
        series,
      }),
    ),
  );
