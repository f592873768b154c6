import type { Counts } from "../numbers/counts.js";
import { formatCount, formatPercent } from "../numbers/format-number.js";
import { type Series, seriesShare } from "./series.js";

/** What a chart says of one series, on a day or over a range. */
export interface Reading {
  readonly series: Series;
  /** A share of its denominator; undefined if the series is shown in counts. */
  readonly share: string | undefined;
  readonly count: string;
}

/** Reads series off counts. */
export const readingsOf = (series: readonly Series[], counts: Counts): Reading[] =>
  series.map((each) => ({
    series: each,
    share: each.denominator && formatPercent(seriesShare(each, counts)),
    count: formatCount(each.countOf(counts)),
  }));

/** A reading in words: `Delivered 93.4% (1,234)`. */
export const wordsOf = ({ series: { title }, share, count }: Reading): string =>
  share === undefined ? `${title} ${count}` : `${title} ${share} (${count})`;
