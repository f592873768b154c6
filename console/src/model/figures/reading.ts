import type { Counts } from "../numbers/counts.js";
import { formatCount, formatPercent } from "../numbers/format-number.js";
import { type Series, seriesShare } from "./series.js";

/** The values of one series, for a day or a range. */
export interface Reading {
  readonly series: Series;
  /** Formatted percentage; undefined for a series of counts. */
  readonly share: string | undefined;
  readonly count: string;
}

/** Formats the values of each series for some counts. */
export const readingsOf = (series: readonly Series[], counts: Counts): Reading[] =>
  series.map((each) => ({
    series: each,
    share: each.denominator && formatPercent(seriesShare(each, counts)),
    count: formatCount(each.countOf(counts)),
  }));

/** Words a reading as `Delivered 93.4% (1,234)`. */
export const wordsOf = ({ series: { title }, share, count }: Reading): string =>
  share === undefined ? `${title} ${count}` : `${title} ${share} (${count})`;
