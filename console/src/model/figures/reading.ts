import type { Counts } from "../numbers/counts.js";
import { formatCount, formatPercent } from "../numbers/format-number.js";
import { type Series, seriesShare } from "./series.js";

/** The values of one series, for a day or a range. */
export interface Reading<C = Counts> {
  readonly series: Series<C>;
  /** Formatted percentage; undefined for a series of counts. */
  readonly share: string | undefined;
  readonly count: string;
}

/** Formats the values of each series for some counts. */
export const readingsOf = <C>(series: readonly Series<C>[], counts: C): Reading<C>[] =>
  series.map((each) => ({
    series: each,
    share: each.base && formatPercent(seriesShare(each, counts)),
    count: formatCount(each.countOf(counts)),
  }));

/** Words a reading as `Delivered 93.4% (1,234)`. */
export const wordsOf = <C>({ series: { title }, share, count }: Reading<C>): string =>
  share === undefined ? `${title} ${count}` : `${title} ${share} (${count})`;
